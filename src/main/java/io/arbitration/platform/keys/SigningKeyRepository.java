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

/** The table {@code platform.signing_keys}. */
final class SigningKeyRepository {

    record StoredKey(String id, byte[] encrypted, Instant created) {}

    private final Database database;

    SigningKeyRepository(Database database) {
        this.database = database;
    }

    Future<List<StoredKey>> all() {
        return database.query("""
                select key_id, encrypted, created from platform.signing_keys order by created
                """, Tuple.tuple(), SigningKeyRepository::storedKey);
    }

    /** Two nodes that find a rotation due at once make one key: the table lock lets the second see the first's. */
    Future<Void> insertUnlessNewer(StoredKey key, Instant newerThan) {
        return database.transaction(transaction -> transaction
                .query("lock table platform.signing_keys in share row exclusive mode").execute()
                .compose(locked -> transaction.preparedQuery("""
                        insert into platform.signing_keys (key_id, encrypted, created)
                        select $1, $2, $3 where not exists (select from platform.signing_keys where created > $4)
                        """).execute(Tuple.of(key.id(), Buffer.buffer(key.encrypted()), key.created().atOffset(ZoneOffset.UTC),
                                newerThan.atOffset(ZoneOffset.UTC))))
                .mapEmpty());
    }

    /** Deletes keys whose successor was made before the given time. */
    Future<Void> deleteSupersededBefore(Instant instant) {
        return database.update("""
                delete from platform.signing_keys k
                where exists (select from platform.signing_keys n where n.created > k.created and n.created < $1)
                """, Tuple.of(instant.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    private static StoredKey storedKey(Row row) {
        return new StoredKey(row.getString("key_id"), row.getBuffer("encrypted").getBytes(),
                row.get(OffsetDateTime.class, "created").toInstant());
    }
}
