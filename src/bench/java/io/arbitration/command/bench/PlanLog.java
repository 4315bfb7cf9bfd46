package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a PostgreSQL ran its statements, from its log: {@code auto_explain} writes the plan of each with the rows and pages that it really
 * read. It is loaded by every session and writes only between {@link #begin} and {@link #end}.
 */
final class PlanLog {

    private static final int SETTLING_MILLIS = 300;
    private static final String PLAN_END = "\n\t}\n";

    private final BenchDatabase database;
    private final Path log;
    private long offset;

    /** @param log the file that the server writes its log to */
    PlanLog(BenchDatabase database, Path log) {
        this.database = database;
        this.log = log;
    }

    /** Has every session that begins from now on load what writes the plans. */
    static void prepare(DatabaseUrl url) {
        try (BenchDatabase database = BenchDatabase.open(url)) {
            database.run("load 'auto_explain'");
            List.of("session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = -1", "auto_explain.log_analyze = on", "auto_explain.log_buffers = on",
                            "auto_explain.log_timing = off", "auto_explain.log_verbose = on", "auto_explain.log_format = 'json'", "auto_explain.log_nested_statements = on",
                            "auto_explain.log_parameter_max_length = 0")
                    .forEach(setting -> database.run("alter system set " + setting));
            database.run("select pg_reload_conf()");
        }
    }

    void begin() throws InterruptedException {
        set(0);
        offset = log.toFile().length();
    }

    void end() throws InterruptedException {
        set(-1);
    }

    private void set(int leastMillis) throws InterruptedException {
        database.run("alter system set auto_explain.log_min_duration = " + leastMillis);
        database.run("select pg_reload_conf()");
        // Sessions read it before their next statement, once they have the signal.
        Thread.sleep(SETTLING_MILLIS);
    }

    /** The statements that ran since the last call. */
    List<Run> take() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(file.length() - offset)];
            file.seek(offset);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // A plan that is being written just now is left for the next call.
            String whole = text.substring(0, text.lastIndexOf(PLAN_END) < 0 ? 0 : text.lastIndexOf(PLAN_END) + PLAN_END.length());
            offset += whole.getBytes(StandardCharsets.UTF_8).length;
            return runs(whole);
        } catch (IOException failed) {
            throw new BenchFailed("the log of PostgreSQL cannot be read", failed);
        }
    }

    /** Lines of a message after its first are indented by a tab. */
    static List<Run> runs(String text) {
        List<Run> runs = new ArrayList<>();
        StringBuilder json = null;
        for (String line : (text + "\nend").split("\n")) {
            if (json != null && line.startsWith("\t")) {
                json.append(line.substring(1)).append('\n');
            } else {
                if (json != null) {
                    runs.add(run(new JsonObject(json.toString())));
                }
                json = line.contains("duration: ") && line.endsWith("plan:") ? new StringBuilder() : null;
            }
        }
        return runs;
    }

    private static Run run(JsonObject logged) {
        JsonObject plan = logged.getJsonObject("Plan");
        Walk walk = new Walk();
        walk.visit(plan);
        return new Run(logged.getString("Query Text").replaceAll("\\s+", " ").strip(), walk.rows, number(plan, "Shared Hit Blocks") + number(plan, "Shared Read Blocks"),
                String.join(", ", walk.scans), Set.copyOf(walk.sequential), plan);
    }

    private static long number(JsonObject node, String name) {
        return node.containsKey(name) ? node.getNumber(name).longValue() : 0;
    }

    /**
     * One run of a statement.
     *
     * @param rows that were read from tables and indexes, also those that were thrown away
     * @param pages of tables and indexes that were looked at, as often as they were
     * @param scans how its tables were read, in alphabetical order
     * @param sequential the tables that were read from one end to the other
     */
    record Run(String statement, long rows, long pages, String scans, Set<String> sequential, JsonObject plan) {}

    private static final class Walk {

        private final Set<String> scans = new TreeSet<>();
        private final Set<String> sequential = new TreeSet<>();
        private long rows;

        void visit(JsonObject node) {
            double loops = node.getDouble("Actual Loops", 0.0);
            String type = node.getString("Node Type");
            if (node.containsKey("Relation Name") && type.endsWith("Scan")) {
                String table = node.getString("Schema") + "." + node.getString("Relation Name");
                rows += Math.round(loops * (node.getDouble("Actual Rows", 0.0) + node.getDouble("Rows Removed by Filter", 0.0) + node.getDouble("Rows Removed by Index Recheck", 0.0)));
                scans.add(type + " " + table + (node.containsKey("Index Name") ? " " + node.getString("Index Name") : ""));
                if (type.equals("Seq Scan") && loops > 0) {
                    sequential.add(table);
                }
            } else if (type.equals("Bitmap Index Scan")) {
                rows += Math.round(loops * node.getDouble("Actual Rows", 0.0));
                scans.add(type + " " + node.getString("Index Name"));
            }
            for (Object child : node.getJsonArray("Plans", new JsonArray())) {
                visit((JsonObject) child);
            }
        }
    }
}
