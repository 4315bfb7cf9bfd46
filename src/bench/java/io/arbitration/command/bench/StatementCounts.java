package io.arbitration.command.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the database itself counted of the delivery engine's statements ({@code pg_stat_statements}), and how it runs them. */
final class StatementCounts {

    /** A statement of the delivery engine, known by how it begins and what it names: other queues claim in the same way. */
    enum Engine {
        READ_THE_LOG("with locked as materialized", "platform.event_consumers"),
        FAN_OUT("with concerned as materialized", "webhooks."),
        CLAIM("with recursive next_url", "webhooks.queue"),
        RECORD("with decided as", "webhooks.queue");

        private final String begins;
        private final String names;

        Engine(String begins, String names) {
            this.begins = begins;
            this.names = names;
        }

        /** In words, e.g. {@code fan out}. */
        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        private String named() {
            return "query like '%s%%' and query like '%%%s%%'".formatted(begins, names);
        }
    }

    private static final int QUERY_BYTES_SHOWN = 16_384;

    private final BenchDatabase database;
    private final Map<Engine, String> texts = new EnumMap<>(Engine.class);

    private StatementCounts(BenchDatabase database) {
        this.database = database;
    }

    /** Has the database count from its next start on; false where that is not for this user to decide. */
    static boolean prepare(BenchDatabase database) {
        boolean able = database.number("""
                select count(*) from pg_available_extensions, pg_roles
                where name = 'pg_stat_statements' and rolname = current_user and rolsuper
                """) > 0;
        if (able) {
            database.run("alter system set shared_preload_libraries = 'pg_stat_statements'");
            database.run("alter system set track_activity_query_size = %d".formatted(QUERY_BYTES_SHOWN));
        }
        return able;
    }

    /** Empty when the database does not count. */
    static Optional<StatementCounts> of(BenchDatabase database) {
        boolean counts = database.number("""
                select count(*) from pg_settings where name = 'shared_preload_libraries' and setting like '%pg_stat_statements%'
                """) > 0;
        if (counts) {
            database.run("create extension if not exists pg_stat_statements");
        }
        return counts ? Optional.of(new StatementCounts(database)) : Optional.empty();
    }

    long calls(Engine statement) {
        return database.number("select coalesce(sum(calls), 0) from pg_stat_statements where " + statement.named());
    }

    /** Notes the texts of the statements from what the sessions run just now, or ran last: the counted ones are rewritten. */
    void watch() {
        for (Engine statement : Engine.values()) {
            if (!texts.containsKey(statement)) {
                database.texts("select query from pg_stat_activity where %s limit 1".formatted(statement.named()))
                        .forEach(text -> texts.put(statement, text));
            }
        }
    }

    boolean sawAll() {
        return texts.size() == Engine.values().length;
    }

    /** How the database runs a statement whatever its values are, line by line; it must have been seen. */
    List<String> plan(Engine statement) {
        return database.texts("explain (generic_plan, costs off) " + texts.get(statement));
    }
}
