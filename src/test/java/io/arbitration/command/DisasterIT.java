package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about disasters, followed on a PostgreSQL of this machine: everything is lost, and comes back from a dump and at a moment. */
class DisasterIT {

    private static final Pattern BLOCK = Pattern.compile("(?m)^```sh\n(.*?)^```", Pattern.DOTALL);
    private static final String PROVED = "Bill of lading no. 7\n".repeat(500);

    @TempDir
    private Path folder;

    private final Map<String, String> variables = new HashMap<>();
    private final List<Path> servers = new ArrayList<>();
    private Path programs;

    @AfterEach
    void stop() throws Exception {
        for (Path server : servers) {
            ran(List.of(programs.resolve("pg_ctl").toString(), "--pgdata", server.toString(), "--mode", "immediate", "stop"), true);
        }
    }

    /** The folder of the programs of a PostgreSQL that has all of them: Debian keeps each version in its own. */
    private static Optional<Path> postgresql() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin")).filter(bin -> Stream.of("initdb", "pg_ctl", "pg_dump", "pg_restore", "pg_basebackup")
                    .allMatch(program -> Files.isExecutable(bin.resolve(program)))).max(Comparator.naturalOrder());
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Runs a command, as the user of PostgreSQL where it must not be root, and gives what it printed. */
    private String ran(List<String> command, boolean asServer) throws Exception {
        List<String> all = new ArrayList<>(asServer && isRoot() ? List.of("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups") : List.of());
        all.addAll(command);
        Path output = Files.createTempFile("disaster", ".out");
        ProcessBuilder builder = new ProcessBuilder(all).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(variables);
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        String printed = Files.readString(output);
        Files.delete(output);
        assertThat(process.exitValue()).as("%s%n%s", command, printed).isZero();
        return printed;
    }

    private void follow(int block, boolean asServer) throws Exception {
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("docs/guides/recover.md"))).results().map(found -> found.group(1)).toList();
        assertThat(blocks).hasSize(5);
        ran(List.of("bash", "-euc", blocks.get(block)), asServer);
    }

    private Path ofServer(String name) throws Exception {
        Path made = Files.createDirectories(folder.resolve(name));
        if (isRoot()) {
            ran(List.of("chown", "postgres", made.toString()), false);
        }
        return made;
    }

    /** A server at a free port, and where an administrator and the platform find its databases. */
    private void begin(String name) throws Exception {
        int port = FreePort.any();
        Path data = ofServer(name).resolve("data");
        ran(List.of("initdb", "--username=postgres", "--auth=trust", "--locale=C.UTF-8", "--pgdata", data.toString()), true);
        Files.writeString(Files.createFile(folder.resolve(name + ".conf")), "port = %d%nlisten_addresses = '127.0.0.1'%nunix_socket_directories = ''%nfsync = off%n".formatted(port));
        ran(List.of("bash", "-c", "cat '%s' >>'%s'".formatted(folder.resolve(name + ".conf"), data.resolve("postgresql.conf"))), true);
        ran(List.of("pg_ctl", "--pgdata", data.toString(), "--log", data.resolveSibling("log").toString(), "--wait", "start"), true);
        servers.add(data);
        at(data, port);
        ran(List.of("psql", variables.get("postgres"), "--command", "create role platform_owner login", "--command", "create role platform_node login"), false);
    }

    private void at(Path data, int port) {
        variables.put("data", data.toString());
        variables.put("postgres", address("postgres", port, "postgres"));
        variables.put("ACP_DATABASE_OWNER_URL", address("platform_owner", port, "platform"));
        variables.put("ACP_DATABASE_URL", address("platform_node", port, "platform"));
    }

    private static String address(String role, int port, String database) {
        return "postgresql://%s@127.0.0.1:%d/%s?sslmode=disable".formatted(role, port, database);
    }

    /** A platform on the database and the files that the variables name. */
    private RunningPlatform platform(Path node) {
        return RunningPlatform.startFromNothing(node, Map.of("ACP_DATABASE_URL", variables.get("ACP_DATABASE_URL"),
                "ACP_DATABASE_OWNER_URL", variables.get("ACP_DATABASE_OWNER_URL"),
                "ACP_KEYS_KEYSET_FILE", variables.get("ACP_KEYS_KEYSET_FILE")));
    }

    private void filesAt(Path node) throws IOException {
        variables.put("objects", Files.createDirectories(node).resolve("objects").toString());
        variables.put("ACP_KEYS_KEYSET_FILE", node.resolve("keyset.json").toString());
    }

    private static void verified(RunningPlatform platform, OpenCase open, JsonArray docket) {
        JsonObject ofCase = new JsonObject().put("caseID", open.caseId());
        // The token was signed before the disaster: the keys are there, and open.
        String token = open.manager().token();
        assertThat(platform.post("/api/docket/entries/list", ofCase, token).object().getJsonArray("entries")).isEqualTo(docket);
        assertThat(platform.post("/api/docket/verify", ofCase, token).object().getMap()).containsEntry("valid", true).containsEntry("entries", docket.size());
    }

    @Test
    void theRecordComesBackFromADumpAndAtAMoment() throws Exception {
        Optional<Path> found = postgresql();
        boolean possible = found.isPresent() && (!isRoot() || OtherRuntimes.runs("id", "-u", "postgres"));
        if (!possible) {
            System.out.println("skipped: no PostgreSQL with pg_dump and pg_basebackup below /usr/lib/postgresql, or no user for it (Debian: apt install postgresql)");
        }
        assumeTrue(possible, "no PostgreSQL with its tools");
        programs = found.get();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        variables.put("archive", ofServer("archive").toString());
        variables.put("backup", ofServer("backup").toString());
        begin("first");
        follow(0, true);
        ran(List.of("createdb", "--maintenance-db=" + variables.get("postgres"), "--owner=platform_owner", "platform"), false);
        follow(1, true);
        filesAt(folder.resolve("node"));

        OpenCase open;
        JsonArray atTheDump;
        JsonArray atTheMoment;
        String uploadId;
        byte[] export;
        try (RunningPlatform platform = platform(folder.resolve("node"))) {
            open = OpenCase.on(platform);
            open.docketed(new JsonObject());
            Answer uploaded = Form.of(open.caseId(), "other", "Bill of lading").file("lading.txt", "text/plain", PROVED).post(platform, open.claimant().token());
            uploadId = uploaded.object().getString("uploadID");
            export = Exported.of(open, open.manager()).zip();
            atTheDump = open.docket(open.manager());
            follow(2, false);
            open.docketed(new JsonObject());
            atTheMoment = open.docket(open.manager());
            variables.put("moment", ran(List.of("psql", variables.get("postgres"), "--tuples-only", "--no-align", "--command", "select clock_timestamp()"), false).strip());
            // What should not have been done.
            open.docketed(new JsonObject());
            ran(List.of("psql", variables.get("postgres"), "--command", "select pg_switch_wal()"), false);
        }
        ran(List.of("pg_ctl", "--pgdata", variables.get("data"), "--mode", "fast", "--wait", "stop"), true);
        servers.clear();
        ran(List.of("rm", "-r", folder.resolve("first").toString(), folder.resolve("node").toString()), false);
        assertThat(atTheDump).hasSize(1);
        assertThat(atTheMoment).hasSize(2);

        begin("second");
        filesAt(folder.resolve("elsewhere"));
        follow(3, false);
        JsonObject file = new JsonObject().put("caseID", open.caseId()).put("uploadID", uploadId);
        try (RunningPlatform restored = platform(folder.resolve("elsewhere"))) {
            verified(restored, open, atTheDump);
            assertThat(restored.post("/api/evidence/uploads/download", file, open.manager().token()).response().body()).isEqualTo(PROVED.getBytes(StandardCharsets.UTF_8));
            ExportVerification verification = new ExportVerification(Optional.of(restored.url() + "/auth/.well-known/jwks.json"));
            verification.verify(Files.write(folder.resolve("export.zip"), export));
            assertThat(verification.problems()).isEmpty();
        }

        int port = Integer.parseInt(Files.readString(folder.resolve("first.conf")).replaceAll("(?s)port = (\\d+).*", "$1"));
        at(ofServer("third").resolve("data"), port);
        follow(4, true);
        servers.add(Path.of(variables.get("data")));
        try (RunningPlatform restored = platform(folder.resolve("elsewhere"))) {
            verified(restored, open, atTheMoment);
            OpenCase again = new OpenCase(restored, open.caseId(), open.claimant(), open.colleague(), open.observer(), open.respondent(), open.manager(),
                    open.arbitrator(), open.outsider());
            again.docketed(new JsonObject());
            verified(restored, open, again.docket(again.manager()));
        }
    }
}
