package io.arbitration.identity.signin;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;

/** The table {@code identity.demo_key}. */
final class DemoKeyRepository {

    private final Database database;

    DemoKeyRepository(Database database) {
        this.database = database;
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
                .map(java.util.List::getFirst);
    }
}
