package io.arbitration.mainapi.notice;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.UserField;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.notice.NoticeCase.Participant;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.docket.PaperEntry;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Makes the letter and the email of a notice from what its sender gave. */
final class NoticeComposer {

    /** Characters of the values together. */
    private static final int JSON_LENGTH_MAX = 100_000;

    private final Definitions definitions;
    private final EntryPaper entryPaper;
    private final PaperWorkers workers;

    NoticeComposer(Definitions definitions, PaperWorkers workers) {
        this.definitions = definitions;
        this.entryPaper = new EntryPaper(definitions);
        this.workers = workers;
    }

    /**
     * The mail type of a notice, when what the sender gave fits it as far as can be seen without decoding an image.
     *
     * @throws Refusal 404 for an unknown mail type, 400 that names the field
     */
    MailType typeOf(NewNotice notice) {
        MailType type = definitions.mailType(notice.mailType()).orElseThrow(NoticeError.MAIL_TYPE_NOT_FOUND::refusal);
        if (notice.isOfHearing() && !type.isOfHearing()) {
            throw NoticeError.INVALID.refusal("mailType", "a hearing is served by " + MailType.HEARING);
        }
        switch (type.inputType()) {
            case FILES -> {
                notice.json().ifPresent(json -> {
                    throw NoticeError.INVALID.refusal("json", "%s takes images".formatted(type.id()));
                });
                notice.imagesByField().keySet().stream().filter(id -> type.userField(id).isEmpty()).findFirst().ifPresent(unknown -> {
                    throw NoticeError.INVALID.refusal("images/" + shortened(unknown), "no such field in " + type.id());
                });
            }
            case JSON -> {
                if (!notice.imagesByField().isEmpty()) {
                    throw NoticeError.INVALID.refusal("images", "%s takes json".formatted(type.id()));
                }
                JsonObject json = notice.json().orElseGet(JsonObject::new);
                if (notice.isOfHearing()) {
                    type.givenByHearing().stream().filter(json::containsKey).findFirst().ifPresent(given -> {
                        throw NoticeError.INVALID.refusal("json/" + given, "comes from the hearing");
                    });
                }
                (notice.isOfHearing() ? type.problemsBesideHearing(json.getMap()) : type.problems(json.getMap())).stream().findFirst().ifPresent(problem -> {
                    throw Refusal.badRequest(problem);
                });
                if (json.stream().mapToLong(member -> String.valueOf(member.getValue()).length()).sum() > JSON_LENGTH_MAX) {
                    throw NoticeError.INVALID.refusal("json", "at most %d characters together".formatted(JSON_LENGTH_MAX));
                }
            }
        }
        return type;
    }

    /** The name is the caller's own text: an answer repeats no more of it than a reader needs. */
    private static String shortened(String name) {
        return name.codePoints().limit(64).map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    /** On a worker; refused when too many wait for one, or too many of this caller. */
    Future<NoticeMail> compose(NewNotice notice, MailType type, Subject subject, Participant server, UUID noticeId, Instant now, UUID caller) {
        return workers.make(caller, () -> composed(notice, type, subject, server, noticeId, now));
    }

    private NoticeMail composed(NewNotice notice, MailType type, Subject subject, Participant server, UUID noticeId, Instant now) {
        List<NoticeImage> images = images(type, notice.imagesByField());
        byte[] entryPdf = switch (subject) {
            case Subject.Entry(PaperEntry entry) -> entryPaper.render(entry);
            case Subject.OfHearing(ServedHearing hearing) -> HearingPaper.pdf(hearing, now);
        };
        String documentName = switch (subject) {
            case Subject.Entry(PaperEntry entry) -> definitions.documentName(entry.entry().documentTypeId());
            case Subject.OfHearing hearing -> "Hearing";
        };
        List<Letter.Detail> details = new ArrayList<>(subject.details());
        details.addAll(details(type, notice.json().orElseGet(JsonObject::new)));
        String party = definitions.partyName(server.partyId());
        String servedBy = server.name().map(name -> "%s (%s)".formatted(name, party)).orElse(party);
        Letter letter = new Letter(noticeId, type.displayName(), servedBy, now, subject, documentName, details, images, Sha256.hex(entryPdf));
        return NoticeMail.of(letter, entryPdf, type.attachmentArea().map(UserField::id).orElse(""));
    }

    private static List<NoticeImage> images(MailType type, Map<String, String> byField) {
        List<NoticeImage> images = new ArrayList<>();
        long bytes = 0;
        long pixels = 0;
        for (UserField field : type.userFields()) {
            if (byField.containsKey(field.id())) {
                NoticeImage image = NoticeImage.decoded(field, NoticeImage.bytes(field.id(), byField.get(field.id())));
                images.add(image);
                bytes += image.bytes().length;
                pixels += (long) image.width() * image.height();
                if (bytes > NoticeImage.ALL_BYTES_MAX) {
                    throw NoticeError.INVALID.refusal("images", "at most %d bytes together".formatted(NoticeImage.ALL_BYTES_MAX));
                }
                if (pixels > NoticeImage.PIXELS_MAX) {
                    throw NoticeError.INVALID.refusal("images", "at most %d pixels together".formatted(NoticeImage.PIXELS_MAX));
                }
            }
        }
        return images;
    }

    private static List<Letter.Detail> details(MailType type, JsonObject json) {
        List<Letter.Detail> details = new ArrayList<>();
        for (Field field : type.fields()) {
            String value = EntryPaper.shown(field.type(), json.getValue(field.id()));
            if (!value.isEmpty()) {
                details.add(new Letter.Detail(field.displayName(), value));
            }
        }
        return details;
    }
}
