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

/** The requests for more time in the database, and what was granted. */
final class ExtensionRepository {

    private static final String EXTENSION = """
            extension_id, case_id, deadline_id, party_id, requested_by, requested_at, until, reason, state, ended_by, ended_at, granted_until, ruling""";

    private final Database database;
    private final Duration lookPeriod;

    /** @param lookPeriod after which those who remind people look by themselves */
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
     * How often more time was granted for a deadline.
     *
     * @param last when it was decided last
     */
    record Grants(int count, Instant last) {}

    /** Of all deadlines of these cases that were ever extended. */
    Future<Map<DeadlineId, Grants>> grants(Collection<CaseId> caseIds) {
        return database.query("""
                select deadline_id, count(*)::integer as count, max(ended_at) as last
                from cases.extensions where case_id = any($1) and state = 'granted' group by deadline_id
                """, Tuple.of((Object) caseIds.stream().map(CaseId::value).toArray(UUID[]::new)), row -> Map.entry(
                        new DeadlineId(row.getUUID("deadline_id")), new Grants(row.getInteger("count"), DeadlineRepository.instant(row, "last"))))
                .map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    Future<Boolean> hasOpenRequest(SqlConnection transaction, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select from cases.extensions where deadline_id = $1 and state = 'open'
                """, Tuple.of(deadlineId.value()), row -> row).map(found -> !found.isEmpty());
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

    /** Writes a request as it is now, moves its deadline if more time was granted, and makes the revision of the case grow by 1. */
    Future<Void> write(SqlConnection transaction, Extension extension) {
        Outcome outcome = extension.outcome();
        Future<Void> written = transaction.preparedQuery("""
                with written as (
                  insert into cases.extensions (extension_id, deadline_id, case_id, party_id, requested_by, requested_at, until, reason, state,
                                                ended_by, ended_at, granted_until, ruling)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                  on conflict (extension_id) do update
                  set state = excluded.state, ended_by = excluded.ended_by, ended_at = excluded.ended_at,
                      granted_until = excluded.granted_until, ruling = excluded.ruling
                  returning deadline_id, case_id, granted_until),
                moved as (
                  update cases.deadlines d set extended_to = w.granted_until from written w
                  where d.deadline_id = w.deadline_id and w.granted_until is not null)
                update cases.cases c set revision = revision + 1 from written w where c.case_id = w.case_id
                """).execute(Tuple.from(Arrays.asList(
                        extension.extensionId().value(), extension.deadlineId().value(), extension.caseId().value(), extension.partyId().value(),
                        extension.requestedBy().value(), Columns.utc(extension.requestedAt()), Columns.utc(extension.until()), extension.reason(),
                        ExtensionJson.state(outcome), endedBy(outcome), endedAt(outcome), extension.grantedUntil().map(Columns::utc).orElse(null),
                        ruling(outcome)))).mapEmpty();
        return written.compose(moved -> outcome instanceof Outcome.Granted granted
                ? ReminderRepository.note(transaction, List.of(extension.deadlineId()), Optional.of(granted.at()), lookPeriod) : Future.succeededFuture());
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
