package io.arbitration.mainapi.docket;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.docket.SealRules;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Seals docket entries and unseals them. Each is decided and done in one transaction under the lock of the docket, and answers the new
 * revision of the entry's filing.
 */
public final class SealService {

    private final Database database;
    private final EventLog events;
    private final AuditTrail audit;
    private final Clock clock;
    private final RandomGenerator random;
    private final SealRepository repository = new SealRepository();
    private final Set<PartyId> parties;

    public SealService(Database database, EventLog events, AuditTrail audit, Definitions definitions, Clock clock, RandomGenerator random) {
        this.database = database;
        this.events = events;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
        this.parties = definitions.parties().stream().map(Party::id).collect(Collectors.toUnmodifiableSet());
    }

    /** The write that seals or unseals, once the rules allow it. */
    @FunctionalInterface
    private interface Write {
        Future<Void> in(SqlConnection transaction, Instant at);
    }

    /**
     * Seals an entry; sealing again replaces the seal.
     *
     * @param ifMatch revision of the filing that the requester has seen; empty: any
     */
    Future<Long> seal(SealRepository.Entry entry, Seal.Terms terms, OptionalLong ifMatch, Requester requester) {
        return change(entry, ifMatch, requester, "entry_sealed", "docket-entry.sealed",
                subject -> SealRules.refusesSealing(subject, terms.visibleTo(), parties),
                (transaction, at) -> repository.seal(transaction, entry, new Seal(terms, new UserId(requester.userId()), at)));
    }

    /** @param ifMatch revision of the filing that the requester has seen; empty: any */
    Future<Long> unseal(SealRepository.Entry entry, String reason, OptionalLong ifMatch, Requester requester) {
        return change(entry, ifMatch, requester, "entry_unsealed", "docket-entry.unsealed",
                SealRules::refusesUnsealing, (transaction, at) -> repository.unseal(transaction, entry, reason, new UserId(requester.userId()), at));
    }

    private Future<Long> change(SealRepository.Entry entry, OptionalLong ifMatch, Requester requester, String event, String action,
            Function<SealRules.Subject, Optional<SealRules.Refusal>> refuses, Write write) {
        UUID caseId = entry.caseId().value();
        return database.transaction(requester.key(), transaction -> events.lockCases(transaction, new UUID[] {caseId})
                .compose(locked -> repository.lock(transaction, entry.caseId()))
                .map(found -> found.orElseThrow(DocketError.CASE_NOT_FOUND::refusal))
                .compose(caseClock -> change(transaction, entry, ifMatch, requester, caseClock, event, action, refuses, write)));
    }

    private Future<Long> change(SqlConnection transaction, SealRepository.Entry entry, OptionalLong ifMatch, Requester requester, CaseClock caseClock, String event, String action,
            Function<SealRules.Subject, Optional<SealRules.Refusal>> refuses, Write write) {
        UUID caseId = entry.caseId().value();
        Instant now = clock.instant();
        Instant at = caseClock.now(now);
        return repository.subject(transaction, entry, new UserId(requester.userId()))
                .compose(subject -> {
                    refuses.apply(subject).ifPresent(reason -> {
                        throw refusal(reason);
                    });
                    return repository.countChange(transaction, entry, ifMatch).map(counted -> counted.orElseThrow(DocketError.STALE::refusal));
                })
                .compose(revision -> write.in(transaction, at)
                        .compose(written -> audit.append(transaction, List.of(new AuditTrail.Line(caseId, Timestamps.milliseconds(now), requester.userId(), action,
                                entry.entryId().toString(), requester.requestId(), requester.address()))))
                        .compose(written -> events.append(transaction, List.of(new Event(Identifiers.random(random), event, caseId,
                                Optional.of(requester.userId()), at, eventData(entry), requester.trace(), caseClock.isSandbox()))))
                        .map(revision));
    }

    /** The payload of {@code entry_sealed} and {@code entry_unsealed}. */
    private static JsonObject eventData(SealRepository.Entry entry) {
        return new JsonObject().put("caseID", entry.caseId().toString()).put("entryID", entry.entryId().toString());
    }

    private static Refusal refusal(SealRules.Refusal reason) {
        return switch (reason) {
            case NOT_A_PARTICIPANT -> DocketError.NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> DocketError.OBSERVER.refusal();
            case NOT_OF_THE_TRIBUNAL -> DocketError.NOT_OF_THE_TRIBUNAL.refusal();
            case NOT_CASE_MANAGER, MAY_NOT_FILE -> throw new IllegalStateException("no rule of seals: " + reason);
            case ENTRY_NOT_FOUND -> DocketError.ENTRY_NOT_FOUND.refusal();
            case PARTY_NOT_FOUND -> DocketError.PARTY_NOT_FOUND.refusal();
            case NOT_SEALED -> DocketError.NOT_SEALED.refusal();
        };
    }
}
