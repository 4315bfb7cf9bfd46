package io.arbitration.platform.objects;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The table {@code platform.pending_objects}: what is being written and belongs to no row yet. The line is there before the
 * first byte and goes in the transaction that makes the row, so whatever dies in between leaves a line to find it by.
 */
public final class PendingObjectRepository {

    private static final int SWEPT_AT_ONCE = 20;

    private final Database database;

    public PendingObjectRepository(Database database) {
        this.database = database;
    }

    Future<Void> add(ObjectAddress address, Instant now) {
        return database.update("""
                insert into platform.pending_objects (address, touched) values ($1, $2)
                """, Tuple.of(address.toString(), now.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** Says that the writing still goes on. */
    Future<Boolean> touch(ObjectAddress address, Instant now) {
        return database.update("""
                update platform.pending_objects set touched = $2 where address = $1
                """, Tuple.of(address.toString(), now.atOffset(ZoneOffset.UTC))).map(changed -> changed == 1);
    }

    Future<Void> remove(ObjectAddress address) {
        return database.update("""
                delete from platform.pending_objects where address = $1
                """, Tuple.of(address.toString())).mapEmpty();
    }

    /** Ends the pending state in the transaction whose row now names the object; fails when the object was swept away. */
    public Future<Void> commit(SqlConnection transaction, ObjectAddress address) {
        return transaction.preparedQuery("""
                delete from platform.pending_objects where address = $1
                """).execute(Tuple.of(address.toString())).map(rows -> {
                    if (rows.rowCount() != 1) {
                        throw new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, address + " took too long and was swept away");
                    }
                    return null;
                });
    }

    /**
     * Removes what nobody has touched for long, holding the lines until the objects are gone: a transaction that wants to
     * commit one of them waits and then finds it gone.
     *
     * @return how many lines there were
     */
    Future<Integer> sweep(Instant untouchedSince, Instant now, Function<String, Future<Void>> delete) {
        return database.transaction(transaction -> Database.query(transaction, """
                select address from platform.pending_objects where touched < $1
                order by touched limit $2 for update skip locked
                """, Tuple.of(untouchedSince.atOffset(ZoneOffset.UTC), SWEPT_AT_ONCE), row -> row.getString(0))
                .compose(addresses -> swept(addresses, delete)
                        .compose(gone -> write(transaction, addresses, gone, now))
                        .map(addresses.size())));
    }

    /** What could not be deleted is tried again when everything else has had its turn. */
    private static Future<Void> write(SqlConnection transaction, List<String> addresses, List<String> gone, Instant now) {
        return transaction.preparedQuery("""
                with gone as (delete from platform.pending_objects where address = any($2))
                update platform.pending_objects set touched = $3 where address = any($1) and not address = any($2)
                """).execute(Tuple.of(addresses.toArray(String[]::new), gone.toArray(String[]::new), now.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** One after the other; what cannot be deleted now stays for the next time. */
    private static Future<List<String>> swept(List<String> addresses, Function<String, Future<Void>> delete) {
        Future<List<String>> gone = Future.succeededFuture(new ArrayList<>());
        for (String address : addresses) {
            gone = gone.compose(so -> delete.apply(address).transform(deleted -> {
                if (deleted.succeeded()) {
                    so.add(address);
                }
                return Future.succeededFuture(so);
            }));
        }
        return gone;
    }
}
