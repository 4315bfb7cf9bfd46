package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * The position of a consumer in the event log: a row of {@code platform.event_consumers}. Events are read in the order of their
 * sequence, as soon as they are committed. A sequence is drawn before the commit, so events may appear below the highest one that
 * was read: the cursor stores the missing sequences, and their events are read when they appear.
 *
 * <p>The sequence of a transaction that was rolled back never appears. It is forgotten when all transactions have ended that got
 * their number before it was found missing. Until then it costs an index lookup at each read.
 */
final class EventCursor {

    /**
     * The maximum number of missing ranges. Beyond it, no events after the cursor are read until some of their transactions have
     * ended.
     */
    static final int MISSING_MAX = 10_000;
    private static final int LAG_COUNTED_MAX = 10_000;
    /** How far below the newest event uncommitted ones are expected, when a cursor begins at the end of the log. */
    private static final int BEHIND_THE_END = 10_000;

    private static final String COLUMNS = "e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope, e.trace, e.sandbox";

    /**
     * Whether there are events after the cursor {@code c}. The planner does not know where the cursor is: it expects to find a third of the
     * log after it, and so reads all of the log where nothing is after it. The maximum and the limit make it look into the index.
     */
    static final String ANY_UNREAD = """
            (coalesce((select max(e.sequence) from platform.events e), 0) > c.read_up_to
              or exists (select from unnest(c.missing + c.missing_longer) as m cross join lateral (
                select e.sequence from platform.events e where e.sequence >= lower(m) and e.sequence < upper(m) order by e.sequence limit 1) e))
            """;

    /** Whether the cursor {@code c} is read by sequence, not as in the previous release: see migration 52. */
    static final String BY_SEQUENCE = "c.transaction = '18446744073709551615'";

    /** The cursor {@code c} in the form that {@link #unread} needs. */
    static final String PLACE = """
            c.read_up_to, c.missing + c.missing_longer as missing, (select count(*) from unnest(c.missing + c.missing_longer)) as missing_count
            """;

    /**
     * The missing sequences have two generations. When all transactions have ended that may have drawn a sequence of the older
     * generation, those of them up to the last event that was read are forgotten: the read returned all committed events up to
     * that event, but perhaps not all after it, because it is bounded. The younger generation then becomes the older one,
     * together with those that were not forgotten: all of them were drawn by transactions with lower numbers than this one, which
     * got its number after the read.
     */
    private static final String MOVE = """
            update platform.event_consumers c set
              read_up_to = greatest(c.read_up_to, $1),
              missing = case when %1$s then '{}' else %2$s end,
              missing_longer = case when %1$s then %2$s + c.missing_longer * int8multirange(int8range($1 + 1, null)) else c.missing_longer - %3$s end,
              settles_at = case when %1$s then pg_current_xact_id() else c.settles_at end%%s
            where %%s
            """.formatted(
                    "c.settles_at <= $3::text::xid8",
                    "c.missing + int8multirange(int8range(c.read_up_to + 1, greatest(c.read_up_to, $1) + 1)) - (select range_agg(int8range(s, s + 1)) from unnest($2::bigint[]) as s)",
                    "(select range_agg(int8range(s, s + 1)) from unnest($2::bigint[]) as s)");

    private final Database database;
    private final String name;

    EventCursor(Database database, String name) {
        this.database = database;
        this.name = name;
    }

    /**
     * A subquery, for {@link #read}: the next events after a {@link #PLACE} with the name {@code c}, in order, at most this many.
     */
    static String unread(int limit) {
        return """
                select %3$s,
                       pg_snapshot_xmin(pg_current_snapshot())::text as open_from
                from (
                  (select e.* from unnest(c.missing) as m cross join lateral (
                     select %3$s from platform.events e where e.sequence >= lower(m) and e.sequence < upper(m) order by e.sequence limit %1$d) e
                   order by e.sequence limit %1$d)
                  union all
                  (select %3$s from platform.events e where e.sequence > c.read_up_to and c.missing_count <= %2$d order by e.sequence limit %1$d)) e
                order by e.sequence
                limit %1$d
                """.formatted(limit, MISSING_MAX, COLUMNS);
    }

    /** Creates the cursor, if there is none, before all events. */
    Future<Void> createAtTheBeginning() {
        return database.update("""
                insert into platform.event_consumers (consumer, transaction) values ($1, '18446744073709551615') on conflict do nothing
                """, Tuple.of(name)).compose(created -> readBySequence());
    }

    /** Creates the cursor, if there is none, after all committed events. */
    Future<Void> createAtTheEnd() {
        return database.update("""
                insert into platform.event_consumers (consumer, transaction, read_up_to, missing)
                select $1, '18446744073709551615', n.newest, int8multirange(int8range(greatest(n.newest - %1$d, 0) + 1, n.newest + 1)) - coalesce((
                  select range_agg(int8range(e.sequence, e.sequence + 1))
                  from (select e.sequence from platform.events e where e.sequence > n.newest - %1$d order by e.sequence limit %1$d) e), '{}')
                from (select coalesce(max(sequence), 0) as newest from platform.events) n
                on conflict do nothing
                """.formatted(BEHIND_THE_END), Tuple.of(name)).compose(created -> readBySequence());
    }

    /** Takes the cursor over from the nodes of the previous release, if they have read it until now. */
    private Future<Void> readBySequence() {
        return database.query("select platform.read_by_sequence($1)", Tuple.of(name), row -> row).mapEmpty();
    }

    /**
     * Forgets sequences that never appear, when so many are missing that no later events are read. A cursor normally forgets when
     * it moves, so without this it would never be read again if all of its missing sequences were rolled back. Answers whether it
     * has forgotten any, or made them ready to be forgotten when the present transactions have ended.
     */
    Future<Boolean> dropRolledBack() {
        return database.update("""
                update platform.event_consumers c set missing_longer = c.missing, missing = '{}', settles_at = pg_current_xact_id()
                where c.consumer = $1 and %s and (select count(*) from unnest(c.missing + c.missing_longer)) > %d
                  and c.settles_at <= pg_snapshot_xmin(pg_current_snapshot())
                  and not exists (select from unnest(c.missing_longer) as m cross join lateral (
                    select e.sequence from platform.events e where e.sequence >= lower(m) and e.sequence < upper(m) order by e.sequence limit 1) e)
                """.formatted(BY_SEQUENCE, MISSING_MAX), Tuple.of(name)).map(updated -> updated == 1);
    }

    /** Whether there are events after the cursor. */
    Future<Position> position() {
        return database.query("select " + ANY_UNREAD + " from platform.event_consumers c where c.consumer = $1 and " + BY_SEQUENCE, Tuple.of(name), row -> row.getBoolean(0))
                .map(any -> any.isEmpty() || !any.getFirst() ? Position.CAUGHT_UP : Position.MORE);
    }

    /**
     * The number of events after the cursor, including those that are not read because too many sequences are missing; counted up
     * to {@value #LAG_COUNTED_MAX}.
     */
    Future<Lag> lag() {
        return database.query("select count(*), coalesce(extract(epoch from now() - min(e.occurred_at)), 0)::float8 from (" + """
                  select c.read_up_to, c.missing + c.missing_longer as missing, 0 as missing_count
                  from platform.event_consumers c where c.consumer = $1) c
                cross join lateral (""" + unread(LAG_COUNTED_MAX) + ") e", Tuple.of(name), row -> new Lag(row.getLong(0), Math.max(0, row.getDouble(1))))
                .map(rows -> rows.getFirst());
    }

    /** Reads the columns of {@link #unread}. */
    static Read read(Row row) {
        OffsetDateTime occurredAt = row.getOffsetDateTime(5);
        LoggedEvent event = new LoggedEvent(row.getLong(0), row.getUUID(1), row.getString(2), row.getUUID(3),
                Optional.ofNullable(row.getUUID(4)), occurredAt.toInstant(), row.getString(6), Optional.ofNullable(row.getString(7)),
                row.getBoolean(8));
        return new Read(event, row.getString(9));
    }

    /**
     * Moves a cursor after events that were read, in a transaction that got its number after the read; answers whether it did.
     *
     * @param read all events after the cursor up to the last of these, in order
     * @param more further columns to set
     * @param which the condition that selects the cursor; its values begin with {@code $4}
     */
    static Future<Boolean> move(SqlClient client, List<Read> read, String more, String which, Tuple values) {
        Tuple all = Tuple.of(read.getLast().event().sequence())
                .addArrayOfLong(read.stream().map(one -> one.event().sequence()).toArray(Long[]::new)).addValue(read.getFirst().openFrom());
        for (int i = 0; i < values.size(); i++) {
            all.addValue(values.getValue(i));
        }
        return client.preparedQuery(MOVE.formatted(more, which)).execute(all).map(rows -> rows.rowCount() == 1);
    }

    /**
     * The state of a cursor: at the end of the log, before events, or unknown because another node has it.
     */
    enum Position { CAUGHT_UP, MORE, ELSEWHERE }

    /**
     * @param openFrom number of the oldest transaction, of the complete server, that was open when the event was read: all lower
     * ones had ended
     */
    record Read(LoggedEvent event, String openFrom) {}

    /** @param seconds the age of the oldest of these events */
    record Lag(long events, double seconds) {}
}
