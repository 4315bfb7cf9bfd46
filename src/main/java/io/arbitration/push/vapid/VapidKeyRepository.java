package io.arbitration.push.vapid;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.keys.Reencryption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** The table {@code push.vapid_keys}. */
public final class VapidKeyRepository implements Reencryption.Rows {

    private final Database database;

    public VapidKeyRepository(Database database) {
        this.database = database;
    }

    /** Keys before an id, the newest first. */
    Future<List<VapidKey>> before(long id, int limit) {
        return database.query("""
                select key_id, public_key, encrypted, created from push.vapid_keys where key_id < $1 order by key_id desc limit $2
                """, Tuple.of(id, limit), VapidKeyRepository::key);
    }

    Future<List<VapidKey>> find(long id) {
        return database.query("""
                select key_id, public_key, encrypted, created from push.vapid_keys where key_id = $1
                """, Tuple.of(id), VapidKeyRepository::key);
    }

    Future<List<VapidKey>> find(byte[] publicKey) {
        return database.query("""
                select key_id, public_key, encrypted, created from push.vapid_keys where public_key = $1
                """, Tuple.of(Buffer.buffer(publicKey)), VapidKeyRepository::key);
    }

    /** False if the maximum number of keys is reached. */
    Future<Boolean> insert(Optional<RequestKey> key, byte[] publicKey, byte[] encrypted, Instant created, int most) {
        return database.update(key, """
                insert into push.vapid_keys (public_key, encrypted, created)
                select $1, $2, $3 where (select count(*) from push.vapid_keys) < $4
                """, Tuple.of(Buffer.buffer(publicKey), Buffer.buffer(encrypted), created.atOffset(ZoneOffset.UTC), most)).map(rows -> rows > 0);
    }

    /** Inserts a key unless there is one already; if two nodes start at once, only one inserts. */
    Future<Boolean> insertFirst(byte[] publicKey, byte[] encrypted, Instant created) {
        return database.transaction(transaction -> transaction.query("lock table push.vapid_keys in share row exclusive mode").execute()
                .compose(locked -> transaction.preparedQuery("""
                        insert into push.vapid_keys (public_key, encrypted, created)
                        select $1, $2, $3 where not exists (select from push.vapid_keys)
                        """).execute(Tuple.of(Buffer.buffer(publicKey), Buffer.buffer(encrypted), created.atOffset(ZoneOffset.UTC))))
                .map(rows -> rows.rowCount() > 0));
    }

    @Override
    public Future<List<Reencryption.Row>> without(byte[] prefix, Optional<String> after, int limit) {
        return database.query("""
                select key_id, public_key, encrypted from push.vapid_keys
                where substring(encrypted from 1 for length($1::bytea)) <> $1::bytea and key_id > $2 order by key_id limit $3
                """, Tuple.of(Buffer.buffer(prefix), after.map(Long::parseLong).orElse(-1L), limit),
                row -> new Reencryption.Row(String.valueOf(row.getLong("key_id")), List.of(row.getBuffer("encrypted").getBytes()),
                        VapidKeys.context(row.getBuffer("public_key").getBytes())));
    }

    @Override
    public Future<Boolean> replace(Reencryption.Row row, List<byte[]> fresh) {
        return database.update("update push.vapid_keys set encrypted = $3 where key_id = $1 and encrypted = $2",
                Tuple.of(Long.parseLong(row.id()), Buffer.buffer(row.ciphers().getFirst()), Buffer.buffer(fresh.getFirst()))).map(updated -> updated == 1);
    }

    private static VapidKey key(Row row) {
        return new VapidKey(row.getLong(0), row.getBuffer(1).getBytes(), row.getBuffer(2).getBytes(), row.getOffsetDateTime(3).toInstant());
    }
}
