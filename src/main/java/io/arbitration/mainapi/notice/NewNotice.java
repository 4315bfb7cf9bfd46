package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.notice.Recipient;
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

/**
 * A notice that somebody asks to be served. The contract has looked at its form; what depends on the mail type is checked later.
 *
 * @param caseId empty where the text names no case
 * @param named what is served; empty where the text names no entry, or no hearing
 * @param isOfHearing whether a hearing is to be served, and no entry
 * @param recipients each user and each address once, in the order of their first mention
 * @param imagesByField Base64, as it came
 * @param json empty when there was none
 */
record NewNotice(
        Optional<CaseId> caseId, Optional<Subject.Named> named, boolean isOfHearing, String mailType, List<Recipient.Named> recipients, Map<String, String> imagesByField,
        Optional<JsonObject> json) {

    private static final int EMAIL_LENGTH_MAX = 254;

    /** @throws Refusal 400 that names the field */
    static NewNotice of(Call call) {
        Map<String, String> images = new LinkedHashMap<>();
        call.body().getJsonObject("images", new JsonObject()).forEach(image -> images.put(image.getKey(), (String) image.getValue()));
        Optional<String> entryId = call.optionalText("entryID");
        Optional<String> hearingId = call.optionalText("hearingID");
        if (entryId.isPresent() && hearingId.isPresent()) {
            throw wrong("hearingID", "give either entryID or hearingID");
        }
        if (entryId.isEmpty() && hearingId.isEmpty()) {
            throw wrong("entryID", "is required");
        }
        Optional<Subject.Named> named = entryId.isPresent() ? entryId.flatMap(EntryId::of).map(Subject.Named.Entry::new)
                : hearingId.flatMap(HearingId::of).map(Subject.Named.OfHearing::new);
        return new NewNotice(CaseId.of(call.text("caseID")), named, hearingId.isPresent(), call.text("mailType"), recipients(call.body().getJsonArray("recipients")), images,
                Optional.ofNullable(call.body().getJsonObject("json")));
    }

    private static List<Recipient.Named> recipients(JsonArray items) {
        Map<String, Recipient.Named> once = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            JsonObject item = items.getJsonObject(i);
            String userId = item.getString("userID");
            String email = item.getString("email");
            if ((userId == null) == (email == null)) {
                throw wrong("recipients/" + i, "give either userID or email");
            }
            Recipient.Named named = userId != null
                    ? new Recipient.Named.User(i, UserId.of(userId))
                    : new Recipient.Named.Address(i, address("recipients/" + i + "/email", email));
            once.putIfAbsent((userId != null ? userId : email).toLowerCase(Locale.ROOT), named);
        }
        return new ArrayList<>(once.values());
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
