package io.arbitration.identity.signin;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.keys.Reencryption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;

/** The table {@code identity.demo_key}. */
final class DemoKeyRepository implements Reencryption.Rows {

    private final Database database;
    private final byte[] context;

    /** @param context with which the key is encrypted */
    DemoKeyRepository(Database database, byte[] context) {
        this.database = database;
        this.context = context.clone();
    }

    @Override
    public Future<List<Reencryption.Row>> without(byte[] prefix, Optional<String> after, int limit) {
        return after.isPresent() ? Future.succeededFuture(List.of()) : database.query(
                "select encrypted from identity.demo_key where substring(encrypted from 1 for length($1::bytea)) <> $1::bytea", Tuple.of(Buffer.buffer(prefix)),
                row -> new Reencryption.Row("the key", List.of(row.getBuffer("encrypted").getBytes()), context));
    }

    @Override
    public Future<Boolean> replace(Reencryption.Row row, List<byte[]> fresh) {
        return database.update("update identity.demo_key set encrypted = $2 where encrypted = $1",
                Tuple.of(Buffer.buffer(row.ciphers().getFirst()), Buffer.buffer(fresh.getFirst()))).map(updated -> updated == 1);
    }

    /** The stored key, or the given one if there was none. Two nodes that start at once use the same key. */
    Future<byte[]> keep(byte[] encrypted) {
        return insertUnlessThere(encrypted).compose(inserted -> stored());
    }

    private Future<Integer> insertUnlessThere(byte[] encrypted) {
        return database.update("""
                insert into identity.demo_key (encrypted) values ($1) on conflict do nothing
                """, Tuple.of(Buffer.buffer(encrypted)));
    }

    private Future<byte[]> stored() {
        return database.query("select encrypted from identity.demo_key", Tuple.tuple(), row -> row.getBuffer("encrypted").getBytes())
                .map(List::getFirst);
    }
}
