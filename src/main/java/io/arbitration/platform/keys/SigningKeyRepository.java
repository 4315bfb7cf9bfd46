package io.arbitration.platform.keys;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code platform.signing_keys}. */
final class SigningKeyRepository implements Reencryption.Rows {

    /**
     * A key as stored.
     *
     * @param encrypted both parts; null when the key is retired or withdrawn
     * @param publicKey the public part as a JWK
     * @param withdrawn whether it was withdrawn
     */
    record StoredKey(String id, byte[] encrypted, String publicKey, Instant created, boolean withdrawn) {}

    private final Database database;

    SigningKeyRepository(Database database) {
        this.database = database;
    }

    Future<List<StoredKey>> all() {
        return database.query("""
                select key_id, encrypted, public_key, created, withdrawn_at is not null as withdrawn from platform.signing_keys order by created
                """, Tuple.tuple(), SigningKeyRepository::storedKey);
    }

    /**
     * If two nodes find a rotation due at the same time, only one key is made: under the table lock the second node sees the
     * first one's key.
     */
    Future<Void> insertUnlessNewer(StoredKey key, Instant newerThan) {
        return database.transaction(transaction -> transaction
                .query("lock table platform.signing_keys in share row exclusive mode").execute()
                .compose(locked -> transaction.preparedQuery("""
                        with made as (
                          insert into platform.signing_keys (key_id, encrypted, public_key, created)
                          select $1, $2, $3, $4 where not exists (select from platform.signing_keys where created > $5 and withdrawn_at is null)
                          returning 1)
                        select pg_notify('platform_signing_keys', '') from made
                        """).execute(Tuple.of(key.id(), Buffer.buffer(key.encrypted()), key.publicKey(),
                                key.created().atOffset(ZoneOffset.UTC), newerThan.atOffset(ZoneOffset.UTC))))
                .mapEmpty());
    }

    /** Deletes the private part of keys whose successor was created before the given time. */
    Future<Void> retireSupersededBefore(Instant instant) {
        return database.update("""
                update platform.signing_keys k set encrypted = null
                where encrypted is not null
                  and exists (
                    select from platform.signing_keys n
                    where n.created > k.created and n.created < $1 and n.withdrawn_at is null)
                """, Tuple.of(instant.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** Withdraws a key and deletes its private part; answers whether there is such a key. A second call changes nothing. */
    Future<Boolean> withdraw(String keyId, UUID by, String reason, Instant now) {
        return database.query("""
                with withdrawn as (
                  update platform.signing_keys
                  set encrypted = null, withdrawn_at = coalesce(withdrawn_at, $2), withdrawn_by = coalesce(withdrawn_by, $3),
                      withdrawn_reason = coalesce(withdrawn_reason, $4)
                  where key_id = $1 returning 1)
                select pg_notify('platform_signing_keys', '') from withdrawn
                """, Tuple.of(keyId, now.atOffset(ZoneOffset.UTC), by, reason), row -> row).map(rows -> !rows.isEmpty());
    }

    @Override
    public Future<List<Reencryption.Row>> without(byte[] prefix, Optional<String> after, int limit) {
        return database.query("""
                select key_id, encrypted from platform.signing_keys
                where encrypted is not null and substring(encrypted from 1 for length($1::bytea)) <> $1::bytea and key_id > $2 order by key_id limit $3
                """, Tuple.of(Buffer.buffer(prefix), after.orElse(""), limit), row -> new Reencryption.Row(row.getString("key_id"),
                        List.of(row.getBuffer("encrypted").getBytes()), SigningKeys.context(row.getString("key_id"))));
    }

    @Override
    public Future<Boolean> replace(Reencryption.Row row, List<byte[]> fresh) {
        return database.update("update platform.signing_keys set encrypted = $3 where key_id = $1 and encrypted = $2",
                Tuple.of(row.id(), Buffer.buffer(row.ciphers().getFirst()), Buffer.buffer(fresh.getFirst()))).map(updated -> updated == 1);
    }

    private static StoredKey storedKey(Row row) {
        Buffer encrypted = row.getBuffer("encrypted");
        return new StoredKey(row.getString("key_id"), encrypted == null ? null : encrypted.getBytes(), row.getString("public_key"),
                row.get(OffsetDateTime.class, "created").toInstant(), row.getBoolean("withdrawn"));
    }
}
