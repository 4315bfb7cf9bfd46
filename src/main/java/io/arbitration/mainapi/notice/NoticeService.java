package io.arbitration.mainapi.notice;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.UserField;
import io.arbitration.domain.text.Mailbox;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.docket.PaperEntry;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of service of notice: who may serve what on whom, and what is made of it. */
final class NoticeService {

    /** A case with more would make lists that no screen shows. */
    static final int RECIPIENTS_PER_CASE_MAX = 5000;
    private static final String FOLDER = "notices";
    /** Characters of the values together. */
    private static final int JSON_LENGTH_MAX = 100_000;
    private static final int RETRY_SECONDS = 5;
    private static final int KEY_HASH_LENGTH = 32;
    private static final Logger LOG = LoggerFactory.getLogger(NoticeService.class);

    private final AreaServices services;
    private final NoticeRepository repository;
    private final DocketRepository docket;
    private final Definitions definitions;
    private final EntryPaper entryPaper;
    private final PaperWorkers workers;
    private final Bucket bucket;

    NoticeService(AreaServices services, NoticeRepository repository, DocketRepository docket, Definitions definitions, PaperWorkers workers, Bucket bucket) {
        this.services = services;
        this.repository = repository;
        this.docket = docket;
        this.definitions = definitions;
        this.entryPaper = new EntryPaper(definitions);
        this.workers = workers;
        this.bucket = bucket;
    }

    /** What is known of a notice before it is composed. */
    private record Facts(NoticeRepository.Standing standing, PaperEntry entry, List<NoticeRepository.Recipient> recipients) {}

    /**
     * Serves a notice: when this is done it is kept, and its emails will be sent whatever happens to this node.
     *
     * @param requestKey the same request again serves nothing twice
     * @return the id of the notice
     */
    Future<UUID> send(NewNotice notice, By by, Optional<String> requestKey) {
        UUID noticeId = Identifiers.random(services.random());
        Instant now = Timestamps.milliseconds(services.clock().instant());
        return facts(notice, by, noticeId).compose(facts -> {
            MailType type = definitions.mailType(notice.mailType()).orElseThrow();
            return workers.make(() -> composed(notice, type, facts, noticeId, now))
                    .compose(mail -> stored(mail.parts()).compose(kept -> repository
                            .add(row(notice, facts, mail, kept, noticeId, now), by, requestKey, this::admit, RECIPIENTS_PER_CASE_MAX)
                            .transform(result -> settled(kept, noticeId, result))));
        }).recover(NoticeService::told);
    }

    /** Looks at everything that can be refused without composing anything, in the order of the specification. */
    private Future<Facts> facts(NewNotice notice, By by, UUID noticeId) {
        return repository.standing(notice.caseId(), by.userId()).compose(found -> {
            NoticeRepository.Standing standing = found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
            MailType type = definitions.mailType(notice.mailType()).orElseThrow(NoticeError.MAIL_TYPE_NOT_FOUND::refusal);
            checkInput(type, notice);
            checkPart(standing);
            return docket.paper(notice.caseId(), notice.entryId()).compose(entry -> {
                PaperEntry served = entry.orElseThrow(NoticeError.ENTRY_NOT_FOUND::refusal);
                checkOpen(standing);
                return recipients(notice, noticeId).map(recipients -> new Facts(standing, served, recipients));
            });
        });
    }

    private void admit(Optional<NoticeRepository.Standing> found) {
        NoticeRepository.Standing standing = found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        checkPart(standing);
        checkOpen(standing);
    }

    private static void checkPart(NoticeRepository.Standing standing) {
        if (standing.partyId() == null) {
            throw NoticeError.NOT_A_PARTICIPANT.refusal();
        }
        if (standing.isObserver()) {
            throw NoticeError.OBSERVER.refusal();
        }
    }

    private static void checkOpen(NoticeRepository.Standing standing) {
        if (!standing.open()) {
            throw NoticeError.CASE_CLOSED.refusal();
        }
    }

    private static void checkInput(MailType type, NewNotice notice) {
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
                type.problems(json.getMap()).stream().findFirst().ifPresent(problem -> {
                    throw Refusal.badRequest(problem);
                });
                if (json.stream().mapToLong(member -> String.valueOf(member.getValue()).length()).sum() > JSON_LENGTH_MAX) {
                    throw NoticeError.INVALID.refusal("json", "at most %d characters together".formatted(JSON_LENGTH_MAX));
                }
            }
        }
    }

    /** The name is the caller's own text: an answer repeats no more of it than a reader needs. */
    private static String shortened(String name) {
        return name.codePoints().limit(64).map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    private Future<List<NoticeRepository.Recipient>> recipients(NewNotice notice, UUID noticeId) {
        List<UUID> userIds = notice.recipients().stream().filter(NewNotice.Recipient.User.class::isInstance)
                .map(user -> ((NewNotice.Recipient.User) user).userId()).toList();
        return repository.participants(notice.caseId(), userIds).map(addresses -> {
            // Somebody may be named by user and by address: each address is served once.
            Map<String, NoticeRepository.Recipient> once = new LinkedHashMap<>();
            for (NewNotice.Recipient recipient : notice.recipients()) {
                String email = switch (recipient) {
                    case NewNotice.Recipient.Address address -> address.email();
                    case NewNotice.Recipient.User user -> addressOf(user, addresses);
                };
                UUID userId = recipient instanceof NewNotice.Recipient.User user ? user.userId() : null;
                once.putIfAbsent(NewNotice.same(email), new NoticeRepository.Recipient(recipient.place(), email, userId, key(noticeId, email)));
            }
            return List.copyOf(once.values());
        });
    }

    private static String addressOf(NewNotice.Recipient.User user, Map<UUID, String> addresses) {
        String email = addresses.get(user.userId());
        if (email == null) {
            throw NoticeError.RECIPIENT_NOT_FOUND.refusal(user.place());
        }
        try {
            return Mailbox.parse(email).address();
        } catch (IllegalArgumentException unusable) {
            throw NoticeError.NO_ADDRESS.refusal(user.place());
        }
    }

    /** One per notice and recipient, whoever asks and how often. */
    private static String key(UUID noticeId, String email) {
        return "notice-%s-%s".formatted(noticeId,
                ContentHash.sha256(NewNotice.same(email).getBytes(StandardCharsets.UTF_8)).substring(0, KEY_HASH_LENGTH));
    }

    private NoticeMail composed(NewNotice notice, MailType type, Facts facts, UUID noticeId, Instant now) {
        List<NoticeImage> images = images(type, notice.imagesByField());
        byte[] entryPdf = entryPaper.render(facts.entry);
        String party = definitions.partyName(new PartyId(facts.standing.partyId()));
        String servedBy = facts.standing.name() == null ? party : "%s (%s)".formatted(facts.standing.name(), party);
        String documentId = facts.entry.entry().documentTypeId().value();
        Letter letter = new Letter(noticeId, notice.caseId(), facts.entry.caseTitle(), type.displayName(), servedBy, now, facts.entry.entry(),
                definitions.documentName(new DocumentTypeId(documentId)),
                details(type, notice.json().orElseGet(JsonObject::new)), images, ContentHash.sha256(entryPdf));
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

    /** A part and where it is kept. */
    private record Kept(NoticeMail.Part part, ObjectStores.Kept object) {}

    /** Stores all parts; when one fails, none is left. */
    private Future<List<Kept>> stored(List<NoticeMail.Part> parts) {
        List<Kept> kept = new ArrayList<>();
        Future<Void> all = Future.succeededFuture();
        for (NoticeMail.Part part : parts) {
            all = all.compose(before -> services.objects().keep(bucket, FOLDER, part.bytes())).map(object -> {
                kept.add(new Kept(part, object));
                return null;
            });
        }
        return all.map(kept).recover(failed -> abandoned(kept).transform(gone -> Future.failedFuture(failed)));
    }

    private static Future<Void> abandoned(List<Kept> kept) {
        return Future.join(kept.stream().map(one -> one.object.object().abandon()).toList()).mapEmpty();
    }

    /** What became of the stored parts: the row has them; or it has not; or nobody knows, and a sweep later tells by their lines. */
    private static Future<UUID> settled(List<Kept> kept, UUID noticeId, io.vertx.core.AsyncResult<UUID> result) {
        boolean unused = result.succeeded() ? !result.result().equals(noticeId) : result.cause() instanceof Refusal;
        Future<Void> done = unused ? abandoned(kept) : Future.join(kept.stream().map(one -> one.object.object().leave()).toList()).mapEmpty();
        return done.otherwiseEmpty().compose(left -> result.succeeded() ? Future.succeededFuture(result.result()) : Future.failedFuture(result.cause()));
    }

    private static NoticeRepository.Notice row(NewNotice notice, Facts facts, NoticeMail mail, List<Kept> kept, UUID noticeId, Instant now) {
        List<NoticeRepository.File> files = kept.stream().map(one -> new NoticeRepository.File(one.part.kind(), one.part.fieldId(), one.part.name(),
                one.part.contentType(), one.part.width(), one.part.height(), one.object.fingerprint(), one.object.object().address())).toList();
        return new NoticeRepository.Notice(noticeId, notice.caseId(), notice.entryId(), notice.mailType(), notice.json().orElseGet(JsonObject::new),
                mail.values(), now, files, facts.recipients);
    }

    /** The refusal for a failure of the object store, which is logged; any other failure stays itself. */
    static <T> Future<T> told(Throwable failure) {
        if (!(failure instanceof ObjectFailure known)) {
            return Future.failedFuture(failure);
        }
        LOG.error("notices: {}", known.getMessage());
        return Future.failedFuture(switch (known.kind()) {
            case MISSING, ALTERED -> NoticeError.FILE_LOST.refusal();
            case UNAVAILABLE, BUSY -> NoticeError.STORE.refusal().retryAfter(RETRY_SECONDS);
        });
    }

    /** A notice with the delivery record of each recipient. */
    record Served(UUID noticeId, String mailType, long entryId, List<NoticeRepository.Delivery> recipients) {}

    /** The notices of a case, for those who have a part in it. */
    Future<List<Served>> list(UUID caseId, UUID userId) {
        return repository.list(caseId, userId).map(lines -> {
            if (lines.isEmpty()) {
                throw NoticeError.CASE_NOT_FOUND.refusal();
            }
            if (!lines.getFirst().participant()) {
                throw NoticeError.NOT_A_PARTICIPANT.refusal();
            }
            Map<UUID, List<NoticeRepository.Listed>> byNotice = lines.stream().flatMap(line -> line.line().stream())
                    .collect(Collectors.groupingBy(NoticeRepository.Listed::noticeId, LinkedHashMap::new, Collectors.toList()));
            return byNotice.values().stream().map(of -> new Served(of.getFirst().noticeId(), of.getFirst().mailType(), of.getFirst().entryId(),
                    of.stream().map(NoticeRepository.Listed::delivery).toList())).toList();
        });
    }
}
