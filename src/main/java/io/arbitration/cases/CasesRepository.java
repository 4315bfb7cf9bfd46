package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseChange;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Seat;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The cases, their participants and phases in the database. */
public final class CasesRepository {

    private static final String OPEN = "open";

    private final Database database;

    public CasesRepository(Database database) {
        this.database = database;
    }

    record RuleSetAndPhase(String ruleSet, PhaseId phaseId) {}

    /** A case that is to be opened. */
    record Opening(Case opened, UserId createdBy, Optional<OrganizationId> organizationId, Optional<String> requestName) {}

    /**
     * A case of somebody's list.
     *
     * @param participants how many there are
     */
    record Listed(CaseId caseId, Instant created, String ruleSet, int participants) {}

    /** The rule sets that cases follow and the phases that they are in, each once: steps through the index, not the cases. */
    Future<List<RuleSetAndPhase>> inUse() {
        return database.query("""
                with recursive used as (
                  (select rule_set, phase_id from cases.cases order by rule_set, phase_id limit 1)
                  union all
                  select following.rule_set, following.phase_id
                  from used cross join lateral (
                    select rule_set, phase_id from cases.cases
                    where (rule_set, phase_id) > (used.rule_set, used.phase_id)
                    order by rule_set, phase_id limit 1) following)
                select rule_set, phase_id from used
                """, Tuple.tuple(), row -> new RuleSetAndPhase(row.getString(0), new PhaseId(row.getString(1))));
    }

    /** The seats of cases, each once: steps through the index, not the cases. */
    Future<List<Seat>> seatsInUse() {
        return database.query("""
                with recursive used as (
                  (select seat from cases.cases where seat is not null order by seat limit 1)
                  union all
                  select (select next.seat from cases.cases next where next.seat > used.seat order by next.seat limit 1)
                  from used where used.seat is not null)
                select seat from used where seat is not null
                """, Tuple.tuple(), row -> new Seat(row.getString(0)));
    }

    /** The cases of those ids that exist, in the order of the ids. */
    public Future<List<Case>> find(List<CaseId> caseIds) {
        if (caseIds.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return database.read(client -> find(client, caseIds)).map(found -> {
            Map<CaseId, Case> caseById = found.stream().collect(Collectors.toMap(Case::caseId, Function.identity()));
            return caseIds.stream().filter(caseById::containsKey).map(caseById::get).toList();
        });
    }

    public Future<Optional<Case>> find(SqlConnection transaction, CaseId caseId) {
        return find(transaction, List.of(caseId)).map(cases -> cases.stream().findFirst());
    }

    /** Each case is one row: its revision, participants and phases are of one moment. */
    public static Future<List<Case>> find(SqlClient client, List<CaseId> caseIds) {
        return Database.query(client, """
                select c.case_id, c.title, c.rule_set, c.phase_id, c.status, c.revision, c.response_deadline_days, c.created, c.sandbox_now, c.seat,
                       p.users, p.organizations, p.parties, p.primaries, p.observers, p.filers, s.phases, s.starts,
                       x.documents as extended_documents, x.parties as extended_parties, x.entries as extended_entries,
                       x.triggers as extended_triggers, x.dates as extended_dates
                from cases.cases c
                cross join lateral (
                  select array_agg(user_id order by added, user_id) as users,
                         array_agg(organization_id order by added, user_id) as organizations,
                         array_agg(party_id order by added, user_id) as parties,
                         array_agg(is_primary order by added, user_id) as primaries,
                         array_agg(is_observer order by added, user_id) as observers,
                         array_agg(may_file order by added, user_id) as filers
                  from cases.participants where case_id = c.case_id) p
                cross join lateral (
                  select array_agg(phase_id order by phase_id) as phases, array_agg(started_at order by phase_id) as starts
                  from cases.phase_starts where case_id = c.case_id) s
                cross join lateral (
                  select array_agg(document_id order by deadline_id) as documents, array_agg(party_id order by deadline_id) as parties,
                         array_agg(trigger_entry order by deadline_id) as entries, array_agg(trigger_at order by deadline_id) as triggers,
                         array_agg(extended_to order by deadline_id) as dates
                  from cases.deadlines where case_id = c.case_id and extended_to is not null) x
                where c.case_id = any($1)
                """, Tuple.of((Object) uuids(caseIds)), CasesRepository::read);
    }

    /** Someone's cases after the cursor, newest first. */
    Future<List<Listed>> page(UserId userId, Optional<String> status, TimeKey after, int limit) {
        return database.query("""
                select p.case_id, p.case_created, c.rule_set,
                       (select count(*)::int from cases.participants o where o.case_id = p.case_id)
                from cases.participants p join cases.cases c using (case_id)
                where p.user_id = $1 and (p.case_created, p.case_id) < ($2, $3) and ($4::text is null or c.status = $4)
                order by p.case_created desc, p.case_id desc
                limit $5
                """, Tuple.of(userId.value(), Columns.utc(after.at()), after.id(), status.orElse(null), limit), CasesRepository::listed);
    }

    /** The open cases without a case manager after the cursor, newest first: triggers keep the list of them. */
    Future<List<Listed>> pageWithoutCaseManager(Optional<String> status, TimeKey after, int limit) {
        return database.query("""
                select w.case_id, w.created, c.rule_set,
                       (select count(*)::int from cases.participants o where o.case_id = w.case_id)
                from cases.without_case_manager w
                cross join lateral (select rule_set from cases.cases c where c.case_id = w.case_id offset 0) c
                where coalesce($3::text, 'open') = 'open' and (w.created, w.case_id) < ($1, $2)
                order by w.created desc, w.case_id desc
                limit $4
                """, Tuple.of(Columns.utc(after.at()), after.id(), status.orElse(null), limit), CasesRepository::listed);
    }

    private static Listed listed(Row row) {
        return new Listed(new CaseId(row.getUUID(0)), instant(row.getOffsetDateTime(1)), row.getString(2), row.getInteger(3));
    }

    /** What a case is called, and the rule set that it follows. */
    public record Titled(String title, String ruleSet, boolean isSandbox) {

        /** The title as notifications and calendars show it: that of a sandbox is marked as such. */
        public String marked() {
            return CaseClock.marked(title, isSandbox);
        }
    }

    /** Of those of these cases that exist. */
    public Future<Map<CaseId, Titled>> titles(List<CaseId> caseIds) {
        return database.query("select case_id, title, rule_set, sandbox_now is not null from cases.cases where case_id = any($1)", Tuple.of((Object) uuids(caseIds)),
                        row -> Map.entry(new CaseId(row.getUUID(0)), new Titled(row.getString(1), row.getString(2), row.getBoolean(3))))
                .map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Keeps the case from being changed by others until the transaction ends. False: there is no such case. */
    public Future<Boolean> lock(SqlConnection transaction, CaseId caseId) {
        return Database.query(transaction, """
                select case_id from cases.cases where case_id = $1 for update
                """, Tuple.of(caseId.value()), row -> row).map(rows -> !rows.isEmpty());
    }

    /** False: an earlier request of the same name has opened its case, and nothing is written. */
    Future<Boolean> insert(SqlConnection transaction, Opening opening) {
        Case opened = opening.opened();
        return transaction.preparedQuery("""
                insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created,
                                         created_by, organization_id, request_id, sandbox_now, sandbox_told, seat)
                values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11, $11, $12)
                on conflict (created_by, request_id) where request_id is not null do nothing
                """).execute(Tuple.from(Arrays.asList(
                        opened.caseId().value(), opened.title(), opened.ruleSet(), opened.phaseId().value(), OPEN,
                        opened.responseDeadlineDays(), Columns.utc(opened.created()), opening.createdBy().value(),
                        opening.organizationId().map(OrganizationId::value).orElse(null), opening.requestName().orElse(null),
                        opened.clock().sandbox().map(Columns::utc).orElse(null), opened.seat().map(Seat::code).orElse(null))))
                .compose(rows -> rows.rowCount() == 0
                        ? Future.succeededFuture(false)
                        : addParticipant(transaction, opened, opened.participants().getFirst(), opened.created())
                                .compose(added -> beginPhase(transaction, opened.caseId(), opened.phaseId(), opened.created()))
                                .map(true));
    }

    /**
     * Counts a case that is created today; false when as many were already.
     *
     * @param owner the user, or the organization for which a user acts
     */
    Future<Boolean> countToday(SqlConnection transaction, UUID owner, LocalDate day, int most) {
        return transaction.preparedQuery("""
                insert into cases.created_today as c (owner_id, day, cases) values ($1, $2, 1)
                on conflict (owner_id) do update
                set day = excluded.day, cases = case when c.day = excluded.day then c.cases + 1 else 1 end
                where c.day <> excluded.day or c.cases < $3
                """).execute(Tuple.of(owner, day, most)).map(rows -> rows.rowCount() > 0);
    }

    /** The case that a caller has opened by the request of that name. */
    Future<Case> ofRequest(SqlConnection transaction, UserId createdBy, String requestName) {
        return Database.query(transaction, """
                select case_id from cases.cases where created_by = $1 and request_id = $2
                """, Tuple.of(createdBy.value(), requestName), row -> new CaseId(row.getUUID(0)))
                .compose(ids -> find(transaction, ids))
                .map(List::getFirst);
    }

    /**
     * Writes the change and makes the revision grow by 1.
     *
     * @param at    by the time of the case
     * @param added by the time of the platform: people who joined are looked for by it
     */
    Future<Void> write(SqlConnection transaction, Case current, CaseChange change, Instant at, Instant added) {
        CaseId caseId = current.caseId();
        return switch (change) {
            case CaseChange.ParticipantAdded(Participant participant) -> addParticipant(transaction, current, participant, added)
                    .compose(joined -> countRevision(transaction, caseId));
            case CaseChange.ParticipantRestricted(UserId userId, boolean mayFile) -> restrict(transaction, caseId, userId, mayFile)
                    .compose(restricted -> countRevision(transaction, caseId));
            case CaseChange.ParticipantRemoved(Participant participant) -> removeParticipant(transaction, caseId, participant.userId())
                    .compose(removed -> countRevision(transaction, caseId));
            case CaseChange.PhaseBegun(PhaseId ignored, PhaseId begun) -> beginPhase(transaction, caseId, begun, at)
                    .compose(started -> advance(transaction, caseId, begun, at));
            case CaseChange.Closed(String reason) -> close(transaction, caseId, reason, at);
        };
    }

    private static Future<Void> addParticipant(SqlConnection transaction, Case of, Participant participant, Instant at) {
        return transaction.preparedQuery("""
                insert into cases.participants (case_id, user_id, organization_id, party_id, is_primary, is_observer, added, case_created)
                values ($1, $2, $3, $4, $5, $6, $7, $8)
                """).execute(Tuple.from(Arrays.asList(
                        of.caseId().value(), participant.userId().value(), participant.organizationId().map(OrganizationId::value).orElse(null),
                        participant.partyId().value(), participant.isPrimary(), participant.isObserver(), Columns.utc(at), Columns.utc(of.created()))))
                .mapEmpty();
    }

    private static Future<Void> removeParticipant(SqlConnection transaction, CaseId caseId, UserId userId) {
        return transaction.preparedQuery("""
                delete from cases.participants where case_id = $1 and user_id = $2
                """).execute(Tuple.of(caseId.value(), userId.value())).mapEmpty();
    }

    private static Future<Void> restrict(SqlConnection transaction, CaseId caseId, UserId userId, boolean mayFile) {
        return transaction.preparedQuery("""
                update cases.participants set may_file = $3 where case_id = $1 and user_id = $2
                """).execute(Tuple.of(caseId.value(), userId.value(), mayFile)).mapEmpty();
    }

    private static Future<Void> beginPhase(SqlConnection transaction, CaseId caseId, PhaseId phaseId, Instant at) {
        return transaction.preparedQuery("""
                insert into cases.phase_starts (case_id, phase_id, started_at) values ($1, $2, $3)
                """).execute(Tuple.of(caseId.value(), phaseId.value(), Columns.utc(at))).mapEmpty();
    }

    private static Future<Void> countRevision(SqlConnection transaction, CaseId caseId) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1 where case_id = $1
                """).execute(Tuple.of(caseId.value())).mapEmpty();
    }

    private static Future<Void> advance(SqlConnection transaction, CaseId caseId, PhaseId phaseId, Instant at) {
        return transaction.preparedQuery("""
                update cases.cases
                set revision = revision + 1, phase_id = $2, sandbox_now = case when sandbox_now is not null then $3::timestamptz end
                where case_id = $1
                """).execute(Tuple.of(caseId.value(), phaseId.value(), Columns.utc(at))).mapEmpty();
    }

    private static Future<Void> close(SqlConnection transaction, CaseId caseId, String reason, Instant at) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1, status = 'closed', closed_at = $2, close_reason = $3 where case_id = $1
                """).execute(Tuple.of(caseId.value(), Columns.utc(at), reason)).mapEmpty();
    }

    private static Case read(Row row) {
        return new Case(new CaseId(row.getUUID("case_id")), row.getString("title"), row.getString("rule_set"),
                new PhaseId(row.getString("phase_id")), OPEN.equals(row.getString("status")), row.getLong("revision"),
                row.getInteger("response_deadline_days"), instant(row.getOffsetDateTime("created")), participants(row), phaseStarts(row), extended(row),
                new CaseClock(Optional.ofNullable(row.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)), Optional.ofNullable(row.getString("seat")).map(Seat::new));
    }

    private static List<Participant> participants(Row row) {
        UUID[] users = row.getArrayOfUUIDs("users");
        if (users == null) {
            return List.of();
        }
        UUID[] organizations = row.getArrayOfUUIDs("organizations");
        String[] parties = row.getArrayOfStrings("parties");
        Boolean[] primaries = row.getArrayOfBooleans("primaries");
        Boolean[] observers = row.getArrayOfBooleans("observers");
        Boolean[] filers = row.getArrayOfBooleans("filers");
        List<Participant> participants = new ArrayList<>(users.length);
        for (int at = 0; at < users.length; at++) {
            participants.add(new Participant(new UserId(users[at]), Optional.ofNullable(organizations[at]).map(OrganizationId::new),
                    new PartyId(parties[at]), primaries[at], observers[at], filers[at]));
        }
        return participants;
    }

    private static Map<PhaseId, Instant> phaseStarts(Row row) {
        String[] phases = row.getArrayOfStrings("phases");
        OffsetDateTime[] starts = row.getArrayOfOffsetDateTimes("starts");
        Map<PhaseId, Instant> startByPhaseId = new HashMap<>();
        for (int at = 0; at < phases.length; at++) {
            startByPhaseId.put(new PhaseId(phases[at]), instant(starts[at]));
        }
        return startByPhaseId;
    }

    private static Map<CaseDates.Extended, Instant> extended(Row row) {
        String[] documents = row.getArrayOfStrings("extended_documents");
        if (documents == null) {
            return Map.of();
        }
        Long[] entries = row.getArrayOfLongs("extended_entries");
        String[] parties = row.getArrayOfStrings("extended_parties");
        OffsetDateTime[] triggers = row.getArrayOfOffsetDateTimes("extended_triggers");
        OffsetDateTime[] dates = row.getArrayOfOffsetDateTimes("extended_dates");
        Map<CaseDates.Extended, Instant> extendedTo = new HashMap<>();
        for (int at = 0; at < documents.length; at++) {
            extendedTo.merge(new CaseDates.Extended(new DocumentTypeId(documents[at]), new PartyId(parties[at]),
                    Optional.ofNullable(entries[at]).map(EntryId::new), instant(triggers[at])), instant(dates[at]), (one, other) -> one.isAfter(other) ? one : other);
        }
        return extendedTo;
    }

    private static UUID[] uuids(List<CaseId> caseIds) {
        return caseIds.stream().map(CaseId::value).toArray(UUID[]::new);
    }

    private static Instant instant(OffsetDateTime stored) {
        return stored.toInstant();
    }
}
