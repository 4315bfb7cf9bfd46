package io.arbitration.platform.nodes;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The tables {@code platform.nodes} and {@code platform.definitions_in_force}. */
final class NodeRepository {

    /**
     * Key of the advisory lock under which a node compares itself with the others and inserts itself: if two nodes start at once,
     * one sees the other.
     */
    private static final long ENTERING = 7021640312L;

    private final Database database;
    private final UUID nodeId;

    /** @param last whether it was the last one to start of all nodes that publish to Kafka */
    record OtherNode(NodeFacts facts, Instant seen, boolean serves, boolean last) {}

    /** Another node whose settings contradict those of this one, with a message for people. */
    record Objection(OtherNode node, String text) {}

    /**
     * The answer of the database to a heartbeat.
     *
     * @param inForce fingerprint of the definitions in force
     * @param at the time of the database
     */
    record Heartbeat(String inForce, Instant at) {}

    NodeRepository(Database database, UUID nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /** Inserts this node, unless its settings contradict those of another node; answers the objection. */
    Future<Optional<Objection>> register(NodeFacts facts, Duration silent, Function<List<OtherNode>, Optional<Objection>> against) {
        return database.transaction(transaction -> lock(transaction)
                .compose(locked -> others(transaction, silent))
                .compose(others -> {
                    Optional<Objection> objection = against.apply(others);
                    return objection.isPresent() ? Future.succeededFuture(objection)
                            : first(transaction, facts.definitions()).compose(there -> insert(transaction, facts)).map(Optional.<Objection>empty());
                }));
    }

    private static Future<Void> lock(SqlConnection transaction) {
        return transaction.query("select pg_advisory_xact_lock(%d)".formatted(ENTERING)).execute().mapEmpty();
    }

    private Future<List<OtherNode>> others(SqlConnection transaction, Duration silent) {
        return Database.query(transaction, OTHERS, Tuple.of(nodeId, silent.toMillis()), NodeRepository::otherNode).map(NodeRepository::present);
    }

    /** The other nodes with a recent heartbeat. */
    Future<List<OtherNode>> others(Duration silent) {
        return database.query(OTHERS, Tuple.of(nodeId, silent.toMillis()), NodeRepository::otherNode).map(NodeRepository::present);
    }

    private static final String OTHERS = """
            select name, definitions, cluster_secret, kafka, serves, seen,
                   kafka is not null and started = max(started) filter (where kafka is not null) over () as last, node_id = $1 as own
            from platform.nodes n
            where seen > now() - $2 * interval '1 millisecond'
            order by own, started desc
            """;

    private static List<OtherNode> present(List<Optional<OtherNode>> nodes) {
        return nodes.stream().flatMap(Optional::stream).toList();
    }

    /** Empty for the row of this node, which is read to find the last of all nodes. */
    private static Optional<OtherNode> otherNode(Row row) {
        return row.getBoolean("own") ? Optional.empty() : Optional.of(new OtherNode(
                new NodeFacts(row.getString("name"), row.getString("definitions"), Optional.ofNullable(row.getString("cluster_secret")),
                        Optional.ofNullable(row.getString("kafka"))), row.get(OffsetDateTime.class, "seen").toInstant(), row.getBoolean("serves"), row.getBoolean("last")));
    }

    /** Puts definitions in force if the database has none yet. */
    private static Future<Void> first(SqlConnection transaction, String fingerprint) {
        return transaction.preparedQuery("insert into platform.definitions_in_force (fingerprint) values ($1) on conflict (singleton) do nothing")
                .execute(Tuple.of(fingerprint)).mapEmpty();
    }

    /** Puts definitions in force, and notifies all nodes if others were in force before; answers whether they were. */
    Future<Boolean> putInForce(String fingerprint) {
        return database.query("""
                with put as (
                  update platform.definitions_in_force set fingerprint = $1, since = now() where fingerprint <> $1 returning 1)
                select pg_notify('platform_nodes', '') from put
                """, Tuple.of(fingerprint), row -> true).map(rows -> !rows.isEmpty());
    }

    private Future<Void> insert(SqlConnection transaction, NodeFacts facts) {
        return transaction.preparedQuery("""
                insert into platform.nodes (node_id, name, definitions, cluster_secret, kafka) values ($1, $2, $3, $4, $5)
                """).execute(Tuple.of(nodeId, facts.name(), facts.definitions(), facts.clusterSecret().orElse(null), facts.kafka().orElse(null)))
                .mapEmpty();
    }

    /**
     * Records a heartbeat, also after the row of this node was removed; answers the definitions in force and the time of the
     * database.
     */
    Future<Heartbeat> heartbeat(NodeFacts facts) {
        return database.query("""
                with own as (
                  insert into platform.nodes as n (node_id, name, definitions, cluster_secret, kafka, serves)
                  values ($1, $2, $3, $4, $5, $3 = (select fingerprint from platform.definitions_in_force))
                  on conflict (node_id) do update set seen = now(), serves = excluded.serves)
                select fingerprint, clock_timestamp() as at from platform.definitions_in_force
                """, Tuple.of(nodeId, facts.name(), facts.definitions(), facts.clusterSecret().orElse(null), facts.kafka().orElse(null)),
                row -> new Heartbeat(row.getString("fingerprint"), row.get(OffsetDateTime.class, "at").toInstant())).map(List::getFirst);
    }

    /** Removes nodes without a heartbeat for this long. */
    Future<Void> deleteSilent(Duration silent) {
        return database.update("delete from platform.nodes where seen < now() - $1 * interval '1 millisecond'", Tuple.of(silent.toMillis())).mapEmpty();
    }

    Future<Void> deregister() {
        return database.update("delete from platform.nodes where node_id = $1", Tuple.of(nodeId)).mapEmpty();
    }
}
