package io.arbitration.platform.objects;

import io.arbitration.platform.batching.BatchingLoader;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;

/**
 * The table {@code platform.pending_objects}: objects that are being written and that no row references yet. The row is inserted
 * before the first byte and deleted in the transaction that references the object, so after a crash in between the row leads to
 * the object.
 */
public final class PendingObjectRepository {

    private static final int SWEPT_AT_ONCE = 20;

    private final Database database;
    private final BatchingLoader<Line, Void> lines;

    public PendingObjectRepository(Vertx vertx, Database database) {
        this.database = database;
        this.lines = new BatchingLoader<>(vertx, waiting -> insert(waiting).map(inserted -> Collections.nCopies(waiting.size(), null)));
    }

    private record Line(ObjectAddress address, Instant touched) {}

    /**
     * Completes when the row is committed; rows that wait while others are written share one commit. To be called on an event
     * loop.
     */
    Future<Void> add(ObjectAddress address, Instant now) {
        return lines.load(new Line(address, now));
    }

    private Future<Integer> insert(List<Line> waiting) {
        return database.update("""
                insert into platform.pending_objects (address, touched) select address, touched from unnest($1::text[], $2::timestamptz[]) as line(address, touched)
                """, new Columns<>(waiting).texts(line -> line.address.toString()).times(Line::touched).tuple());
    }

    /** Renews the row, because the object is still being written. */
    Future<Boolean> touch(ObjectAddress address, Instant now) {
        return database.update("""
                update platform.pending_objects set touched = $2 where address = $1 and not doomed
                """, Tuple.of(address.toString(), now.atOffset(ZoneOffset.UTC))).map(changed -> changed == 1);
    }

    Future<Void> remove(ObjectAddress address) {
        return database.update("""
                delete from platform.pending_objects where address = $1
                """, Tuple.of(address.toString())).mapEmpty();
    }

    /** Deletes the pending row in the transaction that references the object; fails if the object was swept. */
    public Future<Void> commit(SqlConnection transaction, ObjectAddress address) {
        return commit(transaction, List.of(address.toString()));
    }

    /** The same for several objects; fails if one of them was swept. */
    public Future<Void> commit(SqlConnection transaction, List<String> addresses) {
        return transaction.preparedQuery("""
                delete from platform.pending_objects where address = any ($1) and not doomed
                """).execute(Tuple.tuple().addArrayOfString(addresses.toArray(String[]::new))).map(rows -> {
                    if (rows.rowCount() != addresses.size()) {
                        throw new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, "one of %s took too long and was swept away".formatted(addresses));
                    }
                    return null;
                });
    }

    /** Releases objects in the transaction that deletes the last row that references them; the sweeper deletes them. */
    public Future<Void> release(SqlConnection transaction, List<String> addresses) {
        return transaction.preparedQuery("""
                insert into platform.pending_objects (address, touched) select a, 'epoch' from unnest($1::text[]) as a
                """).execute(Tuple.tuple().addArrayOfString(addresses.toArray(String[]::new))).mapEmpty();
    }

    /**
     * Claims the rows that were not renewed for long, so that no transaction can commit their objects any more. If a node dies or
     * fails before it has deleted the objects, the rows are claimed again after the same time.
     *
     * @return addresses to delete and then to {@link #remove}, at most {@value #SWEPT_AT_ONCE}
     */
    Future<List<String>> claimAbandoned(Instant untouchedSince, Instant now) {
        return database.query("""
                update platform.pending_objects set doomed = true, touched = $2 where address in (
                  select address from platform.pending_objects where touched < $1
                  order by touched limit $3 for update skip locked)
                returning address
                """, Tuple.of(untouchedSince.atOffset(ZoneOffset.UTC), now.atOffset(ZoneOffset.UTC), SWEPT_AT_ONCE), row -> row.getString(0));
    }
}
