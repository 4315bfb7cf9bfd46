package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.notice.NoticeCase;
import io.arbitration.domain.notice.NoticeLimits;
import io.arbitration.domain.notice.NoticeRefusal;
import io.arbitration.domain.notice.NoticeRules;
import io.arbitration.domain.notice.Recipient;
import io.arbitration.domain.notice.ServedEntry;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.domain.time.UtcDay;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.PaperEntry;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Serves notices, and lists the notices of a case with their recipients. */
final class NoticeService {

    private final Database database;
    private final NoticeCaseRepository cases;
    private final NoticeRepository notices;
    private final NoticeListRepository lists;
    private final DocketRepository docket;
    private final PendingObjectRepository pending;
    private final AuditTrail audit;
    private final NoticeComposer composer;
    private final NoticeFiles files;
    private final NoticeLimits limits;
    private final Clock clock;
    private final RandomGenerator random;

    NoticeService(Database database, NoticeCaseRepository cases, NoticeRepository notices, NoticeListRepository lists, DocketRepository docket,
            PendingObjectRepository pending, AuditTrail audit, NoticeComposer composer, NoticeFiles files, NoticeLimits limits, Clock clock,
            RandomGenerator random) {
        this.database = database;
        this.cases = cases;
        this.notices = notices;
        this.lists = lists;
        this.docket = docket;
        this.pending = pending;
        this.audit = audit;
        this.composer = composer;
        this.files = files;
        this.limits = limits;
        this.clock = clock;
        this.random = random;
    }

    /** A notice that no rule forbids to serve, of the rules that can be checked before it is composed. */
    private record Admitted(CaseId caseId, CaseClock time, MailType type, Subject subject, NoticeCase.Participant server) {}

    /**
     * Serves a notice: when this is done it is kept, and its emails will be sent whatever happens to this node. The same request again
     * (by its {@code Idempotency-Key}) serves nothing twice.
     *
     * @return the id of the notice
     */
    Future<UUID> send(NewNotice wanted, Requester requester) {
        UUID noticeId = Identifiers.random(random);
        Instant now = Timestamps.milliseconds(clock.instant());
        return admit(wanted, requester, now).compose(admitted -> files.checkDisk().compose(checked -> composer
                .compose(wanted, admitted.type, admitted.subject, admitted.server, noticeId, admitted.time.now(now), requester.userId()))
                .compose(mail -> files.store(mail.parts()).compose(kept -> database
                        .transaction(transaction -> keep(transaction, wanted, admitted, notice(noticeId, wanted, admitted, mail, kept, now), requester))
                        .transform(result -> NoticeFiles.settle(kept, noticeId, result)))))
                .recover(NoticeFiles::refused);
    }

    /** Looks at everything that can be refused without composing anything, in the order of the specification. */
    private Future<Admitted> admit(NewNotice wanted, Requester requester, Instant now) {
        UserId caseUser = new UserId(requester.userId());
        CaseId caseId = wanted.caseId().orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        return cases.find(caseId).compose(found -> {
            NoticeCase in = found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
            MailType type = composer.typeOf(wanted);
            accept(NoticeRules.rejectsServing(in, caseUser));
            return (wanted.isOfHearing() ? hearing(in, caseId, wanted) : entry(in, caseId, wanted, caseUser)).compose(served -> {
                List<Recipient> recipients = recipients(in, served.rules(), wanted);
                PartyId party = in.participant(caseUser).orElseThrow().partyId();
                return notices.wouldCount(caseId, party, requester, now, recipients.size(), outside(recipients)).map(totals -> {
                    totals.flatMap(limits::refuses).ifPresent(reason -> {
                        throw refusal(reason, now);
                    });
                    return new Admitted(caseId, in.clock(), type, served.subject(), in.participant(caseUser).orElseThrow());
                });
            });
        });
    }

    private static int outside(List<Recipient> recipients) {
        return (int) recipients.stream().filter(Recipient::isOutside).count();
    }

    /** What is served, and what the rules have to know of it. */
    private record Served(Subject subject, ServedEntry rules) {}

    private Future<Served> entry(NoticeCase in, CaseId caseId, NewNotice wanted, UserId caseUser) {
        if (!(wanted.named().orElse(null) instanceof Subject.Named.Entry(EntryId entryId))) {
            throw NoticeError.ENTRY_NOT_FOUND.refusal();
        }
        return docket.paper(caseId.value(), entryId.value(), caseUser.value()).compose(paper -> {
            PaperEntry served = paper.orElseThrow(NoticeError.ENTRY_NOT_FOUND::refusal);
            if (served.withheld()) {
                throw NoticeError.SEALED.refusal();
            }
            accept(NoticeRules.rejectsState(in));
            return cases.entry(entryId.value()).map(entry -> {
                accept(NoticeRules.refusesEntry(in, entry, caseUser));
                return new Served(new Subject.Entry(served), entry);
            });
        });
    }

    private Future<Served> hearing(NoticeCase in, CaseId caseId, NewNotice wanted) {
        if (!(wanted.named().orElse(null) instanceof Subject.Named.OfHearing(HearingId hearingId))) {
            throw NoticeError.HEARING_NOT_FOUND.refusal();
        }
        return cases.hearing(caseId, hearingId).map(found -> {
            ServedHearing hearing = found.orElseThrow(NoticeError.HEARING_NOT_FOUND::refusal);
            accept(NoticeRules.rejectsState(in));
            if (hearing.isCancelled()) {
                throw NoticeError.HEARING_CANCELLED.refusal();
            }
            return new Served(new Subject.OfHearing(hearing), ServedEntry.ofTribunal());
        });
    }

    /** The id of the notice that is kept, or of the one that the same request made before. */
    private Future<UUID> keep(SqlConnection transaction, NewNotice wanted, Admitted admitted, Notice notice, Requester requester) {
        return notices.claimRequest(transaction, requester.userId(), requester.key().map(RequestKey::key), notice.noticeId(), notice.kept())
                .compose(before -> before.isPresent() ? Future.succeededFuture(before.get())
                        : decided(transaction, wanted, admitted, notice, requester).map(notice.noticeId()));
    }

    /** Decides once more, on the case as it stays until the transaction ends, and keeps the notice. */
    private Future<Void> decided(SqlConnection transaction, NewNotice wanted, Admitted admitted, Notice notice, Requester requester) {
        UserId caseUser = new UserId(requester.userId());
        return NoticeCaseRepository.findLocked(transaction, admitted.caseId).compose(found -> rules(transaction, admitted)
                .compose(entry -> counted(transaction, wanted, notice, caseUser, found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal), entry)))
                .compose(inserted -> SequentialWork.each(notice.files(), file -> pending.commit(transaction, file.address())))
                .compose(committed -> audit.append(transaction, List.of(new AuditTrail.Line(notice.caseId().value(), notice.kept(), requester.userId(),
                        "notice.served", notice.noticeId().toString(), requester.requestId(), requester.address()))));
    }

    /** What the rules have to know of what is served, as it is now. A change of a hearing waits for the lock of its case. */
    private static Future<ServedEntry> rules(SqlConnection transaction, Admitted admitted) {
        return switch (admitted.subject) {
            case Subject.Entry(PaperEntry paper) -> NoticeCaseRepository.entry(transaction, paper.entry().entryId().value());
            case Subject.OfHearing(ServedHearing hearing) -> NoticeCaseRepository.hearing(transaction, admitted.caseId, hearing.hearingId()).map(now -> {
                if (now.filter(hearing::equals).isEmpty()) {
                    throw NoticeError.HEARING_CHANGED.refusal();
                }
                return ServedEntry.ofTribunal();
            });
        };
    }

    private Future<Void> counted(SqlConnection transaction, NewNotice wanted, Notice notice, UserId caseUser, NoticeCase in, ServedEntry entry) {
        accept(NoticeRules.rejectsServing(in, caseUser).or(() -> NoticeRules.refusesEntry(in, entry, caseUser)).or(() -> NoticeRules.rejectsState(in)));
        List<Recipient> recipients = recipients(in, entry, wanted);
        PartyId party = in.participant(caseUser).orElseThrow().partyId();
        return notices.count(transaction, notice, party, caseUser, recipients.size(), outside(recipients)).compose(counted -> {
            limits.refuses(counted.totals()).ifPresent(reason -> {
                throw refusal(reason, notice.kept());
            });
            return notices.insert(transaction, notice, in.participant(caseUser).orElseThrow(), counted.number(), recipients);
        });
    }

    private static List<Recipient> recipients(NoticeCase in, ServedEntry entry, NewNotice wanted) {
        return switch (NoticeRules.recipients(in, entry, wanted.recipients())) {
            case Decided<List<Recipient>, NoticeRefusal>(List<Recipient> recipients) -> recipients;
            case Refused<List<Recipient>, NoticeRefusal>(NoticeRefusal reason) -> throw refusal(reason, Instant.EPOCH);
        };
    }

    private static Notice notice(UUID noticeId, NewNotice wanted, Admitted admitted, NoticeMail mail, List<NoticeFiles.Kept> kept, Instant now) {
        return new Notice(noticeId, admitted.caseId, admitted.subject, wanted.mailType(), wanted.json().orElseGet(JsonObject::new),
                mail.values(), admitted.time.now(now), now, admitted.time.isSandbox(), kept.stream().map(NoticeFiles.Kept::file).toList());
    }

    private static void accept(Optional<NoticeRefusal> rejection) {
        rejection.ifPresent(reason -> {
            throw refusal(reason, Instant.EPOCH);
        });
    }

    /** @param now from which one waits for the next day of UTC, where that helps */
    private static RuntimeException refusal(NoticeRefusal reason, Instant now) {
        return switch (reason) {
            case NoticeRefusal.NotAParticipant rejected -> NoticeError.NOT_A_PARTICIPANT.refusal();
            case NoticeRefusal.IsObserver rejected -> NoticeError.OBSERVER.refusal();
            case NoticeRefusal.MayNotFile rejected -> NoticeError.MAY_NOT_FILE.refusal();
            case NoticeRefusal.EntrySealed rejected -> NoticeError.SEALED.refusal();
            case NoticeRefusal.MayNotSee(int place) -> NoticeError.MAY_NOT_SEE.refusal(place);
            case NoticeRefusal.CaseClosed rejected -> NoticeError.CASE_CLOSED.refusal();
            case NoticeRefusal.NoSuchRecipient(int place) -> NoticeError.RECIPIENT_NOT_FOUND.refusal(place);
            case NoticeRefusal.NoAddress(int place) -> NoticeError.NO_ADDRESS.refusal(place);
            case NoticeRefusal.OutsideOfTheCase(int place) -> NoticeError.OUTSIDE.refusal(place);
            case NoticeRefusal.TooManyInCase(int most) -> NoticeError.TOO_MANY.refusal(most);
            case NoticeRefusal.TooManyOutsideOfUser(int most) -> NoticeError.TOO_MANY_OUTSIDE_OF_USER.refusal(most).retryAfter(UtcDay.secondsToNext(now));
            case NoticeRefusal.TooManyOutsideOfCase(int most) -> NoticeError.TOO_MANY_OUTSIDE_OF_CASE.refusal(most).retryAfter(UtcDay.secondsToNext(now));
            case NoticeRefusal.TooManyOutsideOfSide(int most) -> NoticeError.TOO_MANY_OUTSIDE_OF_SIDE.refusal(most).retryAfter(UtcDay.secondsToNext(now));
            case NoticeRefusal.TooManyInsideOfUser(int most) -> NoticeError.TOO_MANY_INSIDE.refusal(most).retryAfter(UtcDay.secondsToNext(now));
        };
    }

    /** Notices of a case behind a number, in the order in which they were served, for those who take part in it. */
    Future<NoticeListRepository.Page> list(Optional<CaseId> caseId, Requester requester, int afterNumber, int limit) {
        CaseId in = caseId.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        return cases.find(in).compose(found -> {
            accept(NoticeRules.rejectsView(found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal), new UserId(requester.userId())));
            return lists.page(in, afterNumber, limit);
        });
    }

    /** Forgets what no request can ask for any more: keys of requests, and the counts of past days. */
    Future<Void> deleteExpired() {
        return notices.deleteExpired(clock.instant());
    }
}
