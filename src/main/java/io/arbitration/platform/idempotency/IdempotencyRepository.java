package io.arbitration.platform.idempotency;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.nodes.Nodes;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;

/** The table {@code platform.idempotency}. */
public final class IdempotencyRepository {

    /**
     * A request with a key.
     *
     * @param claimedAt the time of its claim; its later writes only take effect while that is still the current claim
     */
    record Entry(UUID caller, String operation, String key, byte[] bodyHash, Instant claimedAt) {
        /** Binds the encrypted answer to its row. */
        byte[] context() {
            return (caller + "\n" + operation + "\n" + key).getBytes(StandardCharsets.UTF_8);
        }
    }

    sealed interface Claim {}

    /** The key is new, or its earlier request was given up: this request is to be executed. */
    record Claimed() implements Claim {}

    record OtherBody() implements Claim {}

    record InFlight() implements Claim {}

    /** The work of the request is committed, but its node died before it stored the answer. */
    record AnswerLost() implements Claim {}

    record Answered(byte[] answer) implements Claim {}

    private final Database database;
    private final UUID nodeId;

    /** @param nodeId of the claiming node: keys of a dead node are free again */
    public IdempotencyRepository(Database database, UUID nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /** Claims the key in one statement, so that of two requests at the same time only one is executed. */
    Future<Claim> claim(Entry entry, Instant deadBefore, Instant forgottenBefore) {
        return database.query("""
                with claimed as (
                  insert into platform.idempotency as i (caller_id, operation, key, body_hash, claimed_at, node_id)
                  values ($1, $2, $3, $4, $5, $8)
                  on conflict (caller_id, operation, key) do update
                    set claimed_at = excluded.claimed_at, body_hash = excluded.body_hash, answer = null, node_id = excluded.node_id, decided = false
                    where i.claimed_at < $7 or i.answer is null and not i.decided and i.body_hash = excluded.body_hash
                      and (i.claimed_at < $6 or i.node_id is not null and not exists (
                        select from platform.nodes n where n.node_id = i.node_id and n.seen > now() - $9 * interval '1 millisecond'))
                  returning 1)
                select true as claimed, null::bytea as body_hash, null::bytea as answer, false as lost from claimed
                union all
                select false, body_hash, answer, decided and (claimed_at < $6 or not exists (
                  select from platform.nodes n where n.node_id = i.node_id and n.seen > now() - $9 * interval '1 millisecond'))
                from platform.idempotency i
                where caller_id = $1 and operation = $2 and key = $3 and not exists (select from claimed)
                """,
                Tuple.of(entry.caller, entry.operation, entry.key, Buffer.buffer(entry.bodyHash), entry.claimedAt.atOffset(ZoneOffset.UTC),
                        deadBefore.atOffset(ZoneOffset.UTC), forgottenBefore.atOffset(ZoneOffset.UTC),
                        nodeId, Nodes.SILENT.toMillis()),
                row -> claim(row, entry))
                // No row: another request has inserted it after this statement began, so that request is running.
                .map(claims -> claims.isEmpty() ? new InFlight() : claims.getFirst());
    }

    private static Claim claim(Row row, Entry entry) {
        if (row.getBoolean("claimed")) {
            return new Claimed();
        }
        if (!Arrays.equals(row.getBuffer("body_hash").getBytes(), entry.bodyHash)) {
            return new OtherBody();
        }
        Buffer answer = row.getBuffer("answer");
        if (answer != null) {
            return new Answered(answer.getBytes());
        }
        return row.getBoolean("lost") ? new AnswerLost() : new InFlight();
    }

    Future<Void> answer(Entry entry, byte[] answer) {
        return database.update("""
                update platform.idempotency set answer = $5
                where caller_id = $1 and operation = $2 and key = $3 and claimed_at = $4 and answer is null
                """, Tuple.of(entry.caller, entry.operation, entry.key, entry.claimedAt.atOffset(ZoneOffset.UTC),
                Buffer.buffer(answer))).mapEmpty();
    }

    /** Frees the key of a failed request. If that request has committed its work nevertheless, the key stays, and its answer is lost. */
    Future<Void> release(Entry entry) {
        return database.update("""
                with mine as (
                  select ctid, decided from platform.idempotency
                  where caller_id = $1 and operation = $2 and key = $3 and claimed_at = $4 and answer is null for update),
                freed as (delete from platform.idempotency i using mine where i.ctid = mine.ctid and not mine.decided)
                update platform.idempotency i set node_id = null from mine where i.ctid = mine.ctid and mine.decided
                """, Tuple.of(entry.caller, entry.operation, entry.key, entry.claimedAt.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    Future<Integer> deleteBefore(Instant instant) {
        return database.update("""
                delete from platform.idempotency where claimed_at < $1
                """, Tuple.of(instant.atOffset(ZoneOffset.UTC)));
    }
}
