package io.arbitration.cases.deadlines;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code cases.deadline_rules}, and the statements that compute deadlines again. */
final class RecalculationRepository {

    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Database database;
    private final UUID nodeId;

    RecalculationRepository(Database database, UUID nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /**
     * Begins a pass over all cases, unless the deadlines are already computed by these rules or such a pass is running. Also
     * stores the rules of this node.
     */
    Future<Void> begin(String fingerprint) {
        return database.update("""
                with gone as (
                  delete from cases.node_rules r where not exists (select from platform.nodes n where n.node_id = r.node_id)),
                own as (
                  insert into cases.node_rules (node_id, fingerprint) values ($3, $1) on conflict (node_id) do update set fingerprint = excluded.fingerprint)
                insert into cases.deadline_rules as r (fingerprint, since, place, done) values ($1, now(), $2, false)
                on conflict (singleton) do update set fingerprint = excluded.fingerprint, since = excluded.since, place = excluded.place, done = false
                where r.fingerprint <> excluded.fingerprint
                """, Tuple.of(fingerprint, BEFORE_ALL, nodeId)).mapEmpty();
    }

    /** Whether a pass by these rules is complete; also true if a node with other rules has begun a pass after that. */
    Future<Boolean> isDone(String fingerprint) {
        return database.query("select from cases.deadline_rules where fingerprint = $1 and not done", Tuple.of(fingerprint), row -> row).map(List::isEmpty);
    }

    /** Locks the position of the pass; empty if another node has the lock, or if no pass is running. */
    Future<Optional<CaseId>> lockPlace(SqlConnection transaction, String fingerprint) {
        return Database.query(transaction, """
                select place from cases.deadline_rules where fingerprint = $1 and not done for update skip locked
                """, Tuple.of(fingerprint), row -> new CaseId(row.getUUID(0))).map(found -> found.stream().findFirst());
    }

    /** The next cases in the order of their ids. */
    Future<List<CaseId>> casesAfter(SqlConnection transaction, CaseId place, int limit) {
        return Database.query(transaction, """
                select case_id from cases.cases where case_id > $1 order by case_id limit $2
                """, Tuple.of(place.value(), limit), row -> new CaseId(row.getUUID(0)));
    }

    /** Locks those of these cases that are open, so that nobody changes or closes them until the transaction ends. */
    Future<List<CaseId>> lockOpen(SqlConnection transaction, Collection<CaseId> caseIds) {
        return Database.query(transaction, """
                select case_id from cases.cases where case_id = any($1) and status = 'open' order by case_id for share
                """, Tuple.of((Object) uuids(caseIds)), row -> new CaseId(row.getUUID(0)));
    }

    /** The stored deadlines of these cases without those that a request for an extension refers to. */
    Future<List<DeadlineId>> withoutRequests(SqlConnection transaction, Collection<CaseId> caseIds) {
        return Database.query(transaction, """
                select deadline_id from cases.deadlines d
                where case_id = any($1) and not exists (select from cases.extensions e where e.deadline_id = d.deadline_id)
                """, Tuple.of((Object) uuids(caseIds)), row -> new DeadlineId(row.getUUID(0)));
    }

    Future<Void> remove(SqlConnection transaction, List<DeadlineId> deadlineIds) {
        return deadlineIds.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("delete from cases.deadlines where deadline_id = any($1)")
                .execute(Tuple.of((Object) deadlineIds.stream().map(DeadlineId::value).toArray(UUID[]::new))).mapEmpty();
    }

    Future<Void> moveTo(SqlConnection transaction, CaseId place) {
        return transaction.preparedQuery("update cases.deadline_rules set place = $1").execute(Tuple.of(place.value())).mapEmpty();
    }

    /**
     * Ends a pass after its last case. If a node with other rules runs, it may have stored deadlines before the position, so
     * another pass begins; answers whether it does. A node that has not stored its rules is of the previous release, or stores no
     * deadlines. If it has the same definitions, further passes follow for at most an hour, the time of an upgrade.
     *
     * @param silentMillis a node without a heartbeat for this time is dead
     */
    Future<Boolean> endOrBeginAgain(SqlConnection transaction, String fingerprint, long silentMillis) {
        return Database.query(transaction, """
                update cases.deadline_rules r
                set place = $1, done = not exists (
                  select from platform.nodes n left join cases.node_rules o using (node_id)
                  where n.seen > now() - $2::bigint * interval '1 millisecond' and (
                    o.fingerprint <> $3 or o.node_id is null and (position(n.definitions in $3) = 0 or r.since > now() - interval '1 hour')))
                returning not done
                """, Tuple.of(BEFORE_ALL, silentMillis, fingerprint), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /**
     * Begins another pass after a complete one, if a node with a recent heartbeat has stored other rules; answers whether a pass is
     * running.
     *
     * @param silentMillis a node without a heartbeat for this time is dead
     */
    Future<Boolean> beginBesideOthers(String fingerprint, long silentMillis) {
        return database.query("""
                update cases.deadline_rules set place = case when done then $1 else place end, done = false
                where fingerprint = $3 and (not done or exists (
                  select from platform.nodes n join cases.node_rules o using (node_id)
                  where n.seen > now() - $2::bigint * interval '1 millisecond' and o.fingerprint <> $3))
                returning true
                """, Tuple.of(BEFORE_ALL, silentMillis, fingerprint), row -> row.getBoolean(0)).map(begun -> !begun.isEmpty());
    }

    private static UUID[] uuids(Collection<CaseId> caseIds) {
        return caseIds.stream().map(CaseId::value).toArray(UUID[]::new);
    }
}
