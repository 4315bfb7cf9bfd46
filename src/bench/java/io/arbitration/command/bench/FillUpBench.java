package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.FilledCases.Table;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Fills a database that stays with cases, see {@link FilledCases}. The rows are made here and sent by COPY over several connections, while
 * the tables have no indexes ({@link LooseTables}).
 */
@Command(name = "fill-up", description = "Fills a database that stays with cases, each with 10 entries, 50 audit lines and 10 deliveries.", mixinStandardHelpOptions = true)
final class FillUpBench implements Callable<Integer> {

    private static final int BLOCK_CASES = 500;
    private static final int WRITERS = Math.max(2, Runtime.getRuntime().availableProcessors());
    private static final long PROGRESS_NANOS = 5_000_000_000L;
    /** What search has is made from what was filed. */
    private static final List<String> SEARCH_TABLES = List.of("search.sources", "search.documents", "search.pieces");

    @Option(names = "--cases", defaultValue = "1000000", description = "Cases (${DEFAULT-VALUE}).")
    private int cases;

    @Option(names = "--folder", paramLabel = "DIR", required = true,
            description = "Folder for the data of the embedded PostgreSQL, and for keys. It must not be filled already, and it stays.")
    private Path folder;

    @Option(names = "--database", paramLabel = "URL", description = "postgresql://… of an empty database to fill instead of the embedded PostgreSQL; the keys are in the folder.")
    private Optional<String> database;

    @Override
    public Integer call() {
        fill(folder, database, cases);
        return 0;
    }

    /** Fills a folder, or says that it is filled: a second time it fills nothing. */
    static void fill(Path folder, Optional<String> database, int cases) {
        Path mark = folder.resolve("filled");
        if (Files.exists(mark)) {
            checkFilled(mark, cases);
            return;
        }
        try (BenchSite site = BenchSite.keep(folder, database)) {
            FilledCases begun = begin(site, cases);
            Optional<EmbeddedPostgres> embedded = database.isEmpty() ? Optional.of(embedded(site)) : Optional.empty();
            try {
                new FillUp(embedded.map(EmbeddedPostgres::url).orElseGet(site::database), begun).run();
                Files.writeString(mark, String.valueOf(cases));
            } catch (IOException failed) {
                throw new BenchFailed("cannot write " + mark, failed);
            } finally {
                close(embedded);
            }
        }
    }

    private static void checkFilled(Path mark, int cases) {
        try {
            String of = Files.readString(mark);
            if (!of.equals(String.valueOf(cases))) {
                throw new BenchFailed("%s is filled with %s cases".formatted(mark.getParent(), of));
            }
            Report.progress("%s is filled".formatted(mark.getParent()));
        } catch (IOException failed) {
            throw new BenchFailed("cannot read " + mark, failed);
        }
    }

    /** The cases that a folder was filled with. */
    static FilledCases read(BenchDatabase database) {
        String[] row = database.rowsOf("select cases, newest, institution, url_id from bench.filled where done", 4).stream().findFirst()
                .orElseThrow(() -> new BenchFailed("the database was not filled to the end; delete it and fill it again"));
        return new FilledCases(Integer.parseInt(row[0]), Timestamps.parse(row[1]).orElseThrow(), UUID.fromString(row[2]), Long.parseLong(row[3]));
    }

    /** Has a platform make the tables, an institution and its URL. */
    private static FilledCases begin(BenchSite site, int cases) {
        try (ServerProcess server = site.start(WebhookSink.ALLOWED); BenchPeople people = new BenchPeople(server.address(), site); BenchDatabase database = BenchDatabase.open(site.database())) {
            if (database.number("select count(*) from cases.cases") > 0) {
                throw new BenchFailed("the database has cases: fill an empty one, or delete a folder that was not filled to the end");
            }
            Person joining = people.signIn("administrator@institution.example", "Ines", "Institution");
            String institution = ((JsonObject) people.post(new Request("/auth/organizations/create", joining.token(), new JsonObject().put("name", "Institution").encode()))).getString("organizationID");
            Person administrator = people.signIn("administrator@institution.example", "Ines", "Institution");
            people.post(new Request("/webhooks/urls/create", administrator.token(),
                    new JsonObject().put("url", "http://127.0.0.1:%d/filled".formatted(ServerProcess.freePort())).put("events", new JsonArray().add("docket_filing")).encode()));
            long urlId = database.number("select url_id from webhooks.urls where organization_id = '%s'".formatted(institution));
            FilledCases filled = new FilledCases(cases, Timestamps.milliseconds(Instant.now()), UUID.fromString(institution), urlId);
            database.run("create schema bench");
            database.run("create table bench.filled (cases int not null, newest text not null, institution uuid not null, url_id bigint not null, done boolean not null)");
            database.run("insert into bench.filled values (%d, '%s', '%s', %d, false)".formatted(cases, Timestamps.text(filled.newest()), institution, filled.urlId()));
            return filled;
        }
    }

    private static EmbeddedPostgres embedded(BenchSite site) {
        try {
            return EmbeddedPostgres.start(site.data(), 0);
        } catch (IOException failed) {
            throw new BenchFailed("the embedded PostgreSQL did not start", failed);
        }
    }

    private static void close(Optional<EmbeddedPostgres> embedded) {
        if (embedded.isPresent()) {
            try {
                embedded.get().close();
            } catch (IOException failed) {
                throw new BenchFailed("the embedded PostgreSQL did not stop", failed);
            }
        }
    }

    /** One run of it. */
    private static final class FillUp {

        private final DatabaseUrl url;
        private final FilledCases filled;
        private final long beginNanos = System.nanoTime();
        private long saidNanos = beginNanos;

        FillUp(DatabaseUrl url, FilledCases filled) {
            this.url = url;
            this.filled = filled;
        }

        void run() {
            try (BenchDatabase database = BenchDatabase.open(url)) {
                copy(filled.people());
                LooseTables loose = LooseTables.of(database, Stream.of(Table.values()).filter(Table::isLarge).map(Table::sqlName).toList());
                inBlocks("cases", (from, to) -> copy(filled.rows(from, to)));
                loose.restore();
                LooseTables looseSearch = LooseTables.of(database, SEARCH_TABLES);
                inBlocks("cases in the search", this::index);
                looseSearch.restore();
                finish(database);
                Report.title("Filled: %,d cases, %,d docket entries, %,d audit lines, %,d deliveries", filled.cases(), filled.cases() * (long) FilledCases.ENTRIES,
                        filled.cases() * (long) FilledCases.AUDIT_LINES, filled.cases() * (long) FilledCases.ENTRIES);
                database.rowsOf("""
                        select relid::regclass::text, pg_table_size(relid) >> 20, pg_indexes_size(relid) >> 20 from pg_stat_user_tables
                        where pg_total_relation_size(relid) > 0.01 * pg_database_size(current_database()) order by pg_total_relation_size(relid) desc
                        """, 3).forEach(row -> Report.line("%-24s %8s MB, and %8s MB of indexes", row[0], row[1], row[2]));
                Report.line("%.1f minutes, %,d MB", (System.nanoTime() - beginNanos) / 60e9, database.number("select pg_database_size(current_database()) >> 20"));
            }
        }

        private interface Block {
            void write(int from, int to);
        }

        private void inBlocks(String what, Block block) {
            AtomicInteger next = new AtomicInteger();
            try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    running.add(writers.submit(() -> {
                        for (int from = next.getAndAdd(BLOCK_CASES); from < filled.cases(); from = next.getAndAdd(BLOCK_CASES)) {
                            block.write(from, Math.min(filled.cases(), from + BLOCK_CASES));
                            say(what, Math.min(filled.cases(), from));
                        }
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof BenchFailed told ? told : new BenchFailed("filling failed", failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BenchFailed("interrupted");
            }
        }

        private synchronized void say(String what, int done) {
            if (System.nanoTime() - saidNanos > PROGRESS_NANOS) {
                saidNanos = System.nanoTime();
                Report.progress("%,d of %,d %s, after %.0f s".formatted(done, filled.cases(), what, (saidNanos - beginNanos) / 1e9));
            }
        }

        /** One transaction. */
        private void copy(Map<Table, StringBuilder> rows) {
            try (Connection connection = BenchDatabase.connect(url); Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("set synchronous_commit = off");
                for (Map.Entry<Table, StringBuilder> table : rows.entrySet()) {
                    connection.unwrap(PGConnection.class).getCopyAPI().copyIn(table.getKey().copy(), new StringReader(table.getValue().toString()));
                }
                connection.commit();
            } catch (SQLException | IOException failed) {
                throw new BenchFailed("COPY failed: " + failed.getMessage(), failed);
            }
        }

        /** What the index of the search has of these cases and their filings: the words of titles and fields, and the text in one piece. */
        private void index(int from, int to) {
            try (BenchDatabase database = BenchDatabase.open(url)) {
                database.run("set synchronous_commit = off");
                database.run("""
                        with filed as materialized (
                          select f.filing_id, f.case_id, f.title, f.updated, md5('filing ' || f.filing_id)::uuid as document_id,
                                 f.title || ' ' || (f.fields::json ->> 'documentServed') || ' ' || (f.fields::json ->> 'servedOn') || ' ' || (f.fields::json ->> 'signedBy') as text
                          from mainapi.filings f where f.filing_id >= %d and f.filing_id < %d),
                        sourced as (
                          insert into search.sources (source_id, case_id, kind, ref, wanted, indexed) overriding system value
                          select filing_id, case_id, 'filing', filing_id, 1, 1 from filed),
                        indexed as (
                          insert into search.documents (document_id, source_id, case_id, kind, filing_id, title, at, has_text, words)
                          select document_id, filing_id, case_id, 'filing', filing_id, title, updated, true,
                                 strip(to_tsvector('simple', text)) || array_to_tsvector(array['c:' || case_id]) from filed)
                        insert into search.pieces (document_id, place, text, words) select document_id, 1, text, to_tsvector('simple', text) from filed
                        """.formatted(FilledCases.entryId(from, 0), FilledCases.entryId(to, 0)));
            }
        }

        private void finish(BenchDatabase database) {
            database.run("analyze identity.users");
            database.run("analyze identity.memberships");
            database.run("analyze identity.organizations");
            Map.of("platform.audit", "audit_id", "platform.events", "sequence", "webhooks.deliveries", "delivery_id", "webhooks.attempts", "attempt_id", "search.sources", "source_id")
                    .forEach((table, column) -> database.run("select setval(pg_get_serial_sequence('%1$s', '%2$s'), (select max(%2$s) from %1$s))".formatted(table, column)));
            List.of("filing_id", "entry_id").forEach(sequence -> database.run("select setval('mainapi.%s', (select max(filing_id) from mainapi.filings))".formatted(sequence)));
            database.run("update webhooks.organizations set last_position = (select max(position) from webhooks.feed) where organization_id = '%s'".formatted(filled.institution()));
            // All events were told of, so the consumers stand behind them.
            database.run("update platform.event_consumers set read_up_to = (select max(sequence) from platform.events), missing = '{}', missing_longer = '{}'");
            database.run("update bench.filled set done = true");
            database.run("checkpoint");
        }
    }
}
