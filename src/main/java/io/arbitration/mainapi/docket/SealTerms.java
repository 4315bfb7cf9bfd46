package io.arbitration.mainapi.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.docket.Seal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The terms of a seal as JSON. */
public final class SealTerms {

    private SealTerms() {}

    /** Reads a body that was checked against its schema. A text that is no partyID is refused like an unknown party. */
    public static Seal.Terms of(JsonObject json) {
        return new Seal.Terms(json.getJsonArray("visibleTo").stream()
                .map(party -> PartyId.of((String) party).orElseThrow(DocketError.PARTY_NOT_FOUND::refusal)).toList(), json.getString("reason"));
    }

    public static JsonObject json(Seal.Terms terms) {
        return new JsonObject()
                .put("visibleTo", new JsonArray(terms.visibleTo().stream().map(PartyId::value).toList()))
                .put("reason", terms.reason());
    }
}
