package io.arbitration.mainapi.notice;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A notice that somebody asks to be served. The contract has looked at its form; what depends on the mail type is checked later.
 *
 * @param caseId all zero where the text names no case
 * @param entryId 0 where the text names no entry
 * @param recipients each user and each address once, in the order of their first mention
 * @param imagesByField Base64, as it came
 * @param json empty when there was none
 */
record NewNotice(
        UUID caseId, long entryId, String mailType, List<Recipient> recipients, Map<String, String> imagesByField, Optional<JsonObject> json) {

    private static final int EMAIL_LENGTH_MAX = 254;

    /** Whom to serve; {@code place} is that in the request. */
    sealed interface Recipient {

        int place();

        /** @param userId all zero where the text names nobody */
        record User(int place, UUID userId) implements Recipient {}

        record Address(int place, String email) implements Recipient {}
    }

    /** @throws Refusal 400 that names the field */
    static NewNotice of(Call call) {
        Map<String, String> images = new LinkedHashMap<>();
        call.body().getJsonObject("images", new JsonObject()).forEach(image -> images.put(image.getKey(), (String) image.getValue()));
        return new NewNotice(Identifiers.uuid(call.text("caseID")).orElse(new UUID(0, 0)), Identifiers.number(call.text("entryID")).orElse(0),
                call.text("mailType"), recipients(call.body().getJsonArray("recipients")), images,
                Optional.ofNullable(call.body().getJsonObject("json")));
    }

    private static List<Recipient> recipients(JsonArray items) {
        Map<String, Recipient> once = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            JsonObject item = items.getJsonObject(i);
            String userId = item.getString("userID");
            String email = item.getString("email");
            if ((userId == null) == (email == null)) {
                throw wrong("recipients/" + i, "give either userID or email");
            }
            Recipient recipient = userId != null
                    ? new Recipient.User(i, Identifiers.uuid(userId).orElse(new UUID(0, 0)))
                    : new Recipient.Address(i, address("recipients/" + i + "/email", email));
            once.putIfAbsent(switch (recipient) {
                case Recipient.User user -> userId.toLowerCase(Locale.ROOT);
                case Recipient.Address address -> same(address.email);
            }, recipient);
        }
        return new ArrayList<>(once.values());
    }

    /** Two that differ in case alone are taken for one, as mail servers do. */
    static String same(String address) {
        return address.toLowerCase(Locale.ROOT);
    }

    private static String address(String place, String text) {
        try {
            Mailbox mailbox = Mailbox.parse(text);
            if (mailbox.name().isEmpty() && text.indexOf('<') < 0 && mailbox.address().length() <= EMAIL_LENGTH_MAX) {
                return mailbox.address();
            }
            throw wrong(place, "must be an email address alone");
        } catch (IllegalArgumentException broken) {
            throw wrong(place, broken.getMessage().contains("control") ? broken.getMessage() : "must be an email address alone");
        }
    }

    private static Refusal wrong(String place, String what) {
        return NoticeError.INVALID.refusal(place, what);
    }
}
