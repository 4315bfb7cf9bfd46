package io.arbitration.cases.deadlines;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Extension;
import io.arbitration.domain.cases.Extension.Outcome;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The requests for extensions, and the granted ones. */
final class ExtensionRepository {

    private static final String EXTENSION = """
            extension_id, case_id, deadline_id, party_id, requested_by, requested_at, until, reason, state, ended_by, ended_at, granted_until, ruling""";

    private final Database database;
    private final Duration lookPeriod;

    /** @param lookPeriod the longest pause of {@link Reminders} between two searches */
    ExtensionRepository(Database database, Duration lookPeriod) {
        this.database = database;
        this.lookPeriod = lookPeriod;
    }

    /** The request of that id in a case; empty when there is none. */
    Future<Optional<Extension>> find(SqlConnection transaction, CaseId caseId, ExtensionId extensionId) {
        return Database.query(transaction, """
                select %s from cases.extensions where extension_id = $1 and case_id = $2
                """.formatted(EXTENSION), Tuple.of(extensionId.value(), caseId.value()), ExtensionRepository::extension)
                .map(found -> found.stream().findFirst());
    }

    /**
     * How a deadline has changed since it began to run.
     *
     * @param grants how many extensions were granted, in all phases
     * @param last the time of the last change: by a granted extension, by changed rules, or by a filing that met it or was withdrawn or
     *               rejected
     */
    record Changes(int grants, Instant last) {}

    /** The changes of these deadlines. */
    Future<Map<DeadlineId, Changes>> changes(Collection<DeadlineId> deadlineIds) {
        return database.query("""
                select d.deadline_id, coalesce(g.count, 0) as grants, greatest(d.trigger_at, d.changed_at, g.last, (
                  select max(f.updated) from mainapi_api.filings f
                  where f.case_id = d.case_id and f.document_id = d.document_id and f.party_id = d.party_id and f.submitted_at >= d.trigger_at)) as last
                from cases.deadlines d
                left join lateral (
                  select count(*)::integer as count, max(e.ended_at) as last
                  from cases.extensions e join cases.deadlines n using (deadline_id)
                  where e.case_id = d.case_id and e.state = 'granted' and %s) g on true
                where d.deadline_id = any($1)
                """.formatted(DeadlineRepository.GOES_ON), Tuple.of((Object) deadlineIds.stream().map(DeadlineId::value).toArray(UUID[]::new)), row -> Map.entry(
                        new DeadlineId(row.getUUID("deadline_id")), new Changes(row.getInteger("grants"), DeadlineRepository.instant(row, "last"))))
                .map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Whether a request is undecided for this deadline, or for the same one in another phase. */
    Future<Boolean> hasOpenRequest(SqlConnection transaction, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select from cases.deadlines n join cases.deadlines d on %s join cases.extensions e on e.deadline_id = d.deadline_id and e.state = 'open'
                where n.deadline_id = $1
                """.formatted(DeadlineRepository.GOES_ON), Tuple.of(deadlineId.value()), row -> row).map(found -> !found.isEmpty());
    }

    /** The requests of a case before the cursor, the newest first. */
    Future<List<Extension>> ofCase(CaseId caseId, TimeKey before, int limit) {
        return database.query("""
                select %s from cases.extensions
                where case_id = $1 and (requested_at, extension_id) < ($2, $3)
                order by requested_at desc, extension_id desc
                limit $4
                """.formatted(EXTENSION), Tuple.of(caseId.value(), Columns.utc(before.at()), before.id(), limit), ExtensionRepository::extension);
    }

    /**
     * Writes a request, and increases the revision of the case by 1. If it is granted, also moves the deadline and the same one in other
     * phases ({@link DeadlineRepository#GOES_ON}), except where the rule of the phase sets a later date anyway; answers the moved
     * deadlines.
     */
    Future<List<DeadlineId>> write(SqlConnection transaction, Extension extension) {
        Outcome outcome = extension.outcome();
        Future<List<DeadlineId>> written = Database.query(transaction, """
                with written as (
                  insert into cases.extensions (extension_id, deadline_id, case_id, party_id, requested_by, requested_at, until, reason, state,
                                                ended_by, ended_at, granted_until, ruling)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                  on conflict (extension_id) do update
                  set state = excluded.state, ended_by = excluded.ended_by, ended_at = excluded.ended_at,
                      granted_until = excluded.granted_until, ruling = excluded.ruling
                  returning deadline_id, case_id, granted_until),
                moved as (
                  update cases.deadlines d set extended_to = w.granted_until
                  from written w join cases.deadlines n using (deadline_id)
                  where %s and w.granted_until > d.set_for
                  returning d.deadline_id),
                counted as (
                  update cases.cases c set revision = revision + 1 from written w where c.case_id = w.case_id)
                select deadline_id from moved order by deadline_id <> $2, deadline_id
                """.formatted(DeadlineRepository.GOES_ON), Tuple.from(Arrays.asList(
                        extension.extensionId().value(), extension.deadlineId().value(), extension.caseId().value(), extension.partyId().value(),
                        extension.requestedBy().value(), Columns.utc(extension.requestedAt()), Columns.utc(extension.until()), extension.reason(),
                        ExtensionJson.state(outcome), endedBy(outcome), endedAt(outcome), extension.grantedUntil().map(Columns::utc).orElse(null),
                        ruling(outcome))), row -> new DeadlineId(row.getUUID(0)));
        return written.compose(moved -> outcome instanceof Outcome.Granted granted
                ? ReminderRepository.note(transaction, moved, Optional.of(granted.at()), lookPeriod).map(moved) : Future.succeededFuture(moved));
    }

    private static UUID endedBy(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> by.value();
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> by.value();
            case Outcome.Refused(UserId by, Instant at, String reason) -> by.value();
        };
    }

    private static OffsetDateTime endedAt(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> Columns.utc(at);
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> Columns.utc(at);
            case Outcome.Refused(UserId by, Instant at, String reason) -> Columns.utc(at);
        };
    }

    private static String ruling(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> null;
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> reason;
            case Outcome.Refused(UserId by, Instant at, String reason) -> reason;
        };
    }

    private static Extension extension(Row row) {
        return new Extension(new ExtensionId(row.getUUID("extension_id")), new CaseId(row.getUUID("case_id")), new DeadlineId(row.getUUID("deadline_id")),
                new PartyId(row.getString("party_id")), new UserId(row.getUUID("requested_by")), DeadlineRepository.instant(row, "requested_at"), DeadlineRepository.instant(row, "until"),
                row.getString("reason"), outcome(row));
    }

    private static Outcome outcome(Row row) {
        return switch (row.getString("state")) {
            case "open" -> new Outcome.Open();
            case "withdrawn" -> new Outcome.Withdrawn(new UserId(row.getUUID("ended_by")), DeadlineRepository.instant(row, "ended_at"));
            case "granted" -> new Outcome.Granted(new UserId(row.getUUID("ended_by")), DeadlineRepository.instant(row, "ended_at"), DeadlineRepository.instant(row, "granted_until"),
                    row.getString("ruling"));
            case "refused" -> new Outcome.Refused(new UserId(row.getUUID("ended_by")), DeadlineRepository.instant(row, "ended_at"), row.getString("ruling"));
            case String unknown -> throw new IllegalStateException("the state of an extension: " + unknown);
        };
    }
}
