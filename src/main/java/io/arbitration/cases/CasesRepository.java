package io.arbitration.cases;

import io.arbitration.cases.CaseChange.Write;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All SQL of the cases area. A write locks the row of its case first, so writes to a case come one after the other. */
final class CasesRepository {

    private final Database database;
    private final EventLog events;
    private final AuditTrail audit;

    CasesRepository(Database database, EventLog events, AuditTrail audit) {
        this.database = database;
        this.events = events;
        this.audit = audit;
    }

    record RuleSetAndPhase(String ruleSetID, String phaseID) {
    }

    /** A user as the identity area publishes it, with the organization that it belongs to now. */
    record KnownUser(UUID userId, Optional<UUID> organizationId) {
    }

    /** A case that is to be opened, with what is recorded of it in the same transaction. */
    record Opening(
            Case opened, UUID createdBy, Optional<UUID> organizationId, Optional<String> requestID, Event event, AuditTrail.Line line) {
    }

    /** A case to be changed, and the user that the change is about, if there is such a user. */
    record Standing(Case current, Optional<KnownUser> user) {
    }

    /** The rule sets that cases follow and the phases in which they stand, each once: steps through the index, not the cases. */
    Future<List<RuleSetAndPhase>> inUse() {
        return database.query("""
                with recursive used as (
                  (select rule_set, phase_id from cases.cases order by rule_set, phase_id limit 1)
                  union all
                  select following.*
                  from used cross join lateral (
                    select rule_set, phase_id from cases.cases
                    where (rule_set, phase_id) > (used.rule_set, used.phase_id)
                    order by rule_set, phase_id limit 1) following)
                select rule_set, phase_id from used
                """, Tuple.tuple(), row -> new RuleSetAndPhase(row.getString(0), row.getString(1)));
    }

    Future<Optional<KnownUser>> user(UUID userId) {
        return database.query(USER, Tuple.of(userId), CasesRepository::knownUser).map(CasesRepository::first);
    }

    Future<Boolean> organizationExists(UUID organizationId) {
        return database.query("""
                select from identity_api.public_organizations where organization_id = $1
                """, Tuple.of(organizationId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<List<AuditTrail.Entry>> audit(UUID caseId, long before, int limit) {
        return audit.before(database, caseId, before, limit);
    }

    Future<Optional<Case>> find(UUID caseId) {
        return database.query(CASES, Tuple.of((Object) new UUID[] {caseId}), CasesRepository::read).map(CasesRepository::first);
    }

    /** Someone's cases after the cursor, newest first. */
    Future<List<Case>> page(UUID userId, Optional<String> status, CaseCursor after, int limit) {
        return database.query("""
                select p.case_id
                from cases.participants p join cases.cases c using (case_id)
                where p.user_id = $1 and (p.case_created, p.case_id) < ($2, $3) and ($4::text is null or c.status = $4)
                order by p.case_created desc, p.case_id desc
                limit $5
                """, Tuple.of(userId, utc(after.created()), after.caseId(), status.orElse(null), limit), row -> row.getUUID(0))
                .compose(ids -> ids.isEmpty()
                        ? Future.succeededFuture(List.<Case>of())
                        : database.query(CASES, Tuple.of((Object) ids.toArray(UUID[]::new)), CasesRepository::read)
                                .map(cases -> inOrder(ids, cases)));
    }

    /** Opens the case; the one that an earlier request of the same name opened, if there was one. */
    Future<Case> open(Opening opening) {
        return database.transaction(transaction -> insert(transaction, opening).compose(inserted -> inserted
                ? complete(transaction, opening)
                : caseOfRequest(transaction, opening.createdBy(), opening.requestID().orElseThrow())));
    }

    /**
     * Changes a case as decided on its state under the lock; what the decision throws undoes it. Empty: no such case.
     *
     * @param userId user that the change is about, to be looked up; empty: about none
     */
    Future<Optional<Case>> change(UUID caseId, Optional<UUID> userId, Function<Standing, CaseChange> decide) {
        return database.transaction(transaction -> lock(transaction, caseId).compose(exists -> !exists
                ? Future.succeededFuture(Optional.empty())
                : standing(transaction, caseId, userId).compose(standing ->
                        write(transaction, standing.current(), decide.apply(standing)).map(Optional::of))));
    }

    /** When the newest entry of each document type of each of these cases entered the docket. */
    Future<Map<UUID, Map<String, Instant>>> docketed(List<UUID> caseIds) {
        return database.query("""
                select case_id, document_id, max(entered_at)
                from mainapi_api.filings
                where case_id = any($1) and state = 'docketed'
                group by case_id, document_id
                """, Tuple.of((Object) caseIds.toArray(UUID[]::new)),
                row -> new Docketed(row.getUUID(0), row.getString(1), instant(row.getOffsetDateTime(2))))
                .map(rows -> rows.stream().collect(Collectors.groupingBy(
                        Docketed::caseId, Collectors.toMap(Docketed::documentID, Docketed::enteredAt))));
    }

    /** How many filings of each document count against the quota of that party in that phase. */
    Future<Map<String, Integer>> quotaUsed(UUID caseId, String phaseID, String partyID) {
        return database.query("""
                select document_id, count(*)::int
                from mainapi_api.filings
                where case_id = $1 and phase_id = $2 and party_id = $3 and state in ('submitted', 'docketed')
                group by document_id
                """, Tuple.of(caseId, phaseID, partyID), row -> Map.entry(row.getString(0), row.getInteger(1)))
                .map(rows -> rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Filings on which somebody of that party may act: its own undecided ones and those that wait for its approval. */
    Future<List<OpenFiling>> openFilings(UUID caseId, String partyID, int limit) {
        return database.query("""
                select filing_id, document_id, party_id, user_id, state, approver_party
                from mainapi_api.filings
                where case_id = $1
                  and (party_id = $2 and state in ('draft', 'submitted', 'rejected')
                       or approver_party = $2 and state = 'submitted')
                order by filing_id
                limit $3
                """, Tuple.of(caseId, partyID, limit), row -> new OpenFiling(
                        row.getLong(0), row.getString(1), row.getString(2), row.getUUID(3), OpenFiling.State.of(row.getString(4)),
                        Optional.ofNullable(row.getString(5))));
    }

    private Future<Boolean> lock(SqlConnection transaction, UUID caseId) {
        return events.lockCases(transaction, caseId).compose(taken -> Database.query(transaction, """
                select case_id from cases.cases where case_id = $1 for update
                """, Tuple.of(caseId), row -> row)).map(rows -> !rows.isEmpty());
    }

    /** Reads after the lock is held, in a statement of its own: a statement that waits for a lock sees older participants. */
    private Future<Standing> standing(SqlConnection transaction, UUID caseId, Optional<UUID> userId) {
        Future<Optional<KnownUser>> user = userId.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : Database.query(transaction, USER, Tuple.of(userId.get()), CasesRepository::knownUser).map(CasesRepository::first);
        return user.compose(known -> read(transaction, caseId).map(current -> new Standing(current, known)));
    }

    private Future<Boolean> insert(SqlConnection transaction, Opening opening) {
        Case opened = opening.opened();
        return transaction.preparedQuery("""
                insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created,
                                         created_by, organization_id, request_id)
                values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10)
                on conflict (created_by, request_id) where request_id is not null do nothing
                """).execute(Tuple.from(Arrays.asList(
                        opened.caseId(), opened.title(), opened.ruleSet(), opened.phaseID(), opened.status(),
                        opened.responseDeadlineDays(), utc(opened.created()), opening.createdBy(),
                        opening.organizationId().orElse(null), opening.requestID().orElse(null))))
                .map(rows -> rows.rowCount() == 1);
    }

    private Future<Case> caseOfRequest(SqlConnection transaction, UUID createdBy, String requestID) {
        return Database.query(transaction, """
                select case_id from cases.cases where created_by = $1 and request_id = $2
                """, Tuple.of(createdBy, requestID), row -> row.getUUID(0))
                .compose(ids -> read(transaction, ids.getFirst()));
    }

    private Future<Case> complete(SqlConnection transaction, Opening opening) {
        Case opened = opening.opened();
        return addParticipant(transaction, opened, opened.participants().getFirst(), opened.created())
                .compose(added -> beginPhase(transaction, opened.caseId(), opened.phaseID(), opened.created()))
                .compose(begun -> events.append(transaction, List.of(opening.event())))
                .compose(appended -> audit.append(transaction, List.of(opening.line())))
                .map(opened);
    }

    private Future<Case> write(SqlConnection transaction, Case current, CaseChange change) {
        UUID caseId = current.caseId();
        Future<Void> written = switch (change.write()) {
            case Write.ParticipantAdded(Participant participant) -> addParticipant(transaction, current, participant, change.at())
                    .compose(added -> touch(transaction, caseId));
            case Write.ParticipantRemoved(UUID userId) -> removeParticipant(transaction, caseId, userId)
                    .compose(removed -> touch(transaction, caseId));
            case Write.PhaseBegun(String phaseID) -> beginPhase(transaction, caseId, phaseID, change.at())
                    .compose(begun -> advance(transaction, caseId, phaseID));
            case Write.Closed(String reason) -> close(transaction, caseId, reason, change.at());
        };
        return written
                .compose(done -> events.append(transaction, change.event().stream().toList()))
                .compose(appended -> audit.append(transaction, List.of(change.line())))
                .compose(recorded -> read(transaction, caseId));
    }

    private Future<Void> addParticipant(SqlConnection transaction, Case of, Participant participant, Instant at) {
        return transaction.preparedQuery("""
                insert into cases.participants (case_id, user_id, organization_id, party_id, is_primary, is_observer, added, case_created)
                values ($1, $2, $3, $4, $5, $6, $7, $8)
                """).execute(Tuple.from(Arrays.asList(
                        of.caseId(), participant.userId(), participant.organizationId().orElse(null), participant.partyID(),
                        participant.isPrimary(), participant.isObserver(), utc(at), utc(of.created()))))
                .mapEmpty();
    }

    private Future<Void> removeParticipant(SqlConnection transaction, UUID caseId, UUID userId) {
        return transaction.preparedQuery("""
                delete from cases.participants where case_id = $1 and user_id = $2
                """).execute(Tuple.of(caseId, userId)).mapEmpty();
    }

    private Future<Void> beginPhase(SqlConnection transaction, UUID caseId, String phaseID, Instant at) {
        return transaction.preparedQuery("""
                insert into cases.phase_starts (case_id, phase_id, started_at) values ($1, $2, $3)
                """).execute(Tuple.of(caseId, phaseID, utc(at))).mapEmpty();
    }

    private Future<Void> touch(SqlConnection transaction, UUID caseId) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1 where case_id = $1
                """).execute(Tuple.of(caseId)).mapEmpty();
    }

    private Future<Void> advance(SqlConnection transaction, UUID caseId, String phaseID) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1, phase_id = $2 where case_id = $1
                """).execute(Tuple.of(caseId, phaseID)).mapEmpty();
    }

    private Future<Void> close(SqlConnection transaction, UUID caseId, String reason, Instant at) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1, status = 'closed', closed_at = $2, close_reason = $3 where case_id = $1
                """).execute(Tuple.of(caseId, utc(at), reason)).mapEmpty();
    }

    private static Future<Case> read(SqlClient client, UUID caseId) {
        return Database.query(client, CASES, Tuple.of((Object) new UUID[] {caseId}), CasesRepository::read)
                .map(cases -> cases.getFirst());
    }

    private static final String USER = """
            select user_id, organization_id from identity_api.users where user_id = $1
            """;

    /** Cases by their ids, each as one row: revision, participants and phases are of one moment. */
    private static final String CASES = """
            select c.case_id, c.title, c.rule_set, c.phase_id, c.status, c.revision, c.response_deadline_days, c.created,
                   p.users, p.organizations, p.parties, p.primaries, p.observers, s.phases, s.starts
            from cases.cases c
            cross join lateral (
              select array_agg(user_id order by added, user_id) as users,
                     array_agg(organization_id order by added, user_id) as organizations,
                     array_agg(party_id order by added, user_id) as parties,
                     array_agg(is_primary order by added, user_id) as primaries,
                     array_agg(is_observer order by added, user_id) as observers
              from cases.participants where case_id = c.case_id) p
            cross join lateral (
              select array_agg(phase_id order by phase_id) as phases, array_agg(started_at order by phase_id) as starts
              from cases.phase_starts where case_id = c.case_id) s
            where c.case_id = any($1)
            """;

    private static KnownUser knownUser(Row row) {
        return new KnownUser(row.getUUID(0), Optional.ofNullable(row.getUUID(1)));
    }

    private static Case read(Row row) {
        return new Case(row.getUUID(0), row.getString(1), row.getString(2), row.getString(3), Case.OPEN.equals(row.getString(4)),
                row.getLong(5), row.getInteger(6), instant(row.getOffsetDateTime(7)), participants(row), phaseStarts(row));
    }

    private static List<Participant> participants(Row row) {
        UUID[] users = row.getArrayOfUUIDs("users");
        UUID[] organizations = row.getArrayOfUUIDs("organizations");
        String[] parties = row.getArrayOfStrings("parties");
        Boolean[] primaries = row.getArrayOfBooleans("primaries");
        Boolean[] observers = row.getArrayOfBooleans("observers");
        List<Participant> participants = new ArrayList<>(users.length);
        for (int at = 0; at < users.length; at++) {
            participants.add(new Participant(
                    users[at], Optional.ofNullable(organizations[at]), parties[at], primaries[at], observers[at]));
        }
        return participants;
    }

    private static Map<String, Instant> phaseStarts(Row row) {
        String[] phases = row.getArrayOfStrings("phases");
        OffsetDateTime[] starts = row.getArrayOfOffsetDateTimes("starts");
        Map<String, Instant> startByPhaseID = new HashMap<>();
        for (int at = 0; at < phases.length; at++) {
            startByPhaseID.put(phases[at], instant(starts[at]));
        }
        return startByPhaseID;
    }

    private static List<Case> inOrder(List<UUID> ids, List<Case> cases) {
        Map<UUID, Case> caseById = cases.stream().collect(Collectors.toMap(Case::caseId, Function.identity()));
        return ids.stream().map(caseById::get).toList();
    }

    private static <T> Optional<T> first(List<T> rows) {
        return rows.stream().findFirst();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(OffsetDateTime stored) {
        return stored.toInstant();
    }

    private record Docketed(UUID caseId, String documentID, Instant enteredAt) {
    }
}
