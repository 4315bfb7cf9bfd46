package io.arbitration.identity.signin;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The table {@code identity.demo_codes}. */
final class DemoCodeRepository {

    private static final Duration KEPT = Duration.ofMinutes(10);

    private final Database database;

    DemoCodeRepository(Database database) {
        this.database = database;
    }

    /** Marks a code as used; false if it was used before. Codes that have expired on every node, whatever its clock says, are deleted. */
    Future<Boolean> use(UUID codeId, Instant expires, Instant now) {
        return database.update("delete from identity.demo_codes where expires_at < $1", Tuple.of(Columns.utc(now.minus(KEPT))))
                .compose(deleted -> database.update("insert into identity.demo_codes (code_id, expires_at) values ($1, $2) on conflict do nothing",
                        Tuple.of(codeId, Columns.utc(expires))))
                .map(inserted -> inserted == 1);
    }
}
