package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Exported;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.TestFolders;
import io.arbitration.command.ArbitrationCommand;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the hashes of a docket prove, to somebody who has only the contract, and against somebody who has the database. */
class DocketChainIT {

    private static final int ENTRIES = 6;
    private static RunningPlatform platform;
    private static OpenCase people;

    @BeforeAll
    static void start() throws IOException {
        Path folder = TestFolders.create("chain-");
        platform = RunningPlatform.start(folder, Map.of("ACP_DEFINITIONS_FOLDER", definitionsWithLongNumbers(folder.resolve("definitions")).toString()));
        people = OpenCase.on(platform);
    }

    /** The definitions as shipped, but that the interest rate of a statement of claim may have more digits than a double. */
    private static Path definitionsWithLongNumbers(Path folder) throws IOException {
        Path shipped = Path.of("conf/definitions");
        try (Stream<Path> files = Files.walk(shipped)) {
            for (Path file : files.toList()) {
                Path copy = folder.resolve(shipped.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    String text = Files.readString(file);
                    Files.writeString(copy, file.endsWith("statementOfClaim.yaml")
                            ? text.replaceFirst("(id: interestRate.*maxLength: )10", "$150") : text);
                }
            }
        }
        return folder;
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    private static OpenCase docket() {
        OpenCase open = people.another();
        String first = open.docketed(new JsonObject().put("title", "Letter, « é \ud83d\ude80 \\ \"quoted\" »")
                .put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT).put("subject", "A separator\u2028and a tab\t")));
        String reply = open.docketed(new JsonObject().put("parentEntryID", first));
        open.docketed(new JsonObject().put("parentEntryID", reply).put("supersedes", first));
        open.docketed(new JsonObject().put("documentID", "motion").put("fields", new JsonObject()
                .put("motionTitle", "Zur Frist").put("requestedOrder", "Line one\r\nline two").put("urgent", true)));
        open.docketed(new JsonObject().put("documentID", "statementOfClaim").put("fields", OpenCase.completeFields("statementOfClaim")
                .put("interestRate", 4.50).put("proposedArbitrators", 3).put("expeditedRequested", false).put("claimAmount", "1200.50 EUR")));
        String notice = open.draft(open.manager(), "noticeToParties");
        assertThat(open.document("submit", open.manager(), notice).status()).isEqualTo(200);
        return open;
    }

    private static List<JsonObject> views(OpenCase open) {
        List<JsonObject> views = new ArrayList<>();
        for (Object entry : open.docket(open.respondent())) {
            views.add(open.on("/api/docket/entries/view", open.respondent(), new JsonObject().put("entryID", ((JsonObject) entry).getString("entryID"))).object());
        }
        return views;
    }

    private static JsonObject verification(OpenCase open) {
        return open.on("/api/docket/verify", open.respondent(), new JsonObject()).object();
    }

    /** The contract's sentences on {@code hash} and {@code contentHash}, written again without any code of the platform. */
    private static String hash(String caseId, JsonObject view) throws Exception {
        TreeMap<String, Object> all = new TreeMap<>(view.getMap());
        all.put("caseID", caseId);
        all.putIfAbsent("supersedes", null);
        all.put("files", view.getJsonArray("files").stream().map(file -> ((JsonObject) file).getString("sha256")).toList());
        if (view.getInteger("version") == 1) {
            all.keySet().removeAll(List.of("hash", "supersededBy", "files", "version", "salt", "contentHash"));
            return sha256(canonical(all));
        }
        List<String> ofLink = List.of("version", "caseID", "number", "entryID", "previousHash", "contentHash");
        TreeMap<String, Object> link = new TreeMap<>(all);
        link.keySet().retainAll(ofLink);
        all.keySet().removeAll(ofLink);
        all.keySet().removeAll(List.of("hash", "supersededBy"));
        assertThat(sha256(canonical(all))).isEqualTo(view.getString("contentHash"));
        assertThat(view.getString("salt")).matches("[0-9a-f]{64}");
        return sha256(canonical(link));
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** RFC 8785 as far as these entries go; its own vectors are held against the platform's writer elsewhere. */
    private static String canonical(Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map -> new TreeMap<>(map).entrySet().stream().map(member -> quoted((String) member.getKey()) + ":" + canonical(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            case JsonObject object -> canonical(object.getMap());
            case List<?> list -> list.stream().map(DocketChainIT::canonical).collect(Collectors.joining(",", "[", "]"));
            case String text -> quoted(text);
            case Double number when number == 4.5 -> "4.5";
            case Integer number -> number.toString();
            case Boolean bool -> bool.toString();
            default -> throw new IllegalArgumentException("not in these entries: " + value);
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n") + '"';
    }

    @Test
    void anyoneCanComputeTheChainFromTheViewsAndTheContractAlone() throws Exception {
        OpenCase open = docket();
        String previous = "0".repeat(64);
        int number = 0;
        for (JsonObject view : views(open)) {
            assertThat(view.getInteger("number")).isEqualTo(++number);
            assertThat(view.getString("previousHash")).isEqualTo(previous);
            assertThat(view.getString("hash")).as(view.encodePrettily()).isEqualTo(hash(open.caseId(), view));
            previous = view.getString("hash");
        }
        assertThat(number).isEqualTo(ENTRIES);
        assertThat(verification(open)).isEqualTo(new JsonObject().put("valid", true).put("entries", ENTRIES).put("headHash", previous));
    }

    /** As a node of the version before appends it, which knows nothing of versions. */
    private static void appendByTheVersionBefore(OpenCase open) throws Exception {
        open.docketed(new JsonObject());
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute("set local session_replication_role = replica");
            JsonObject last = views(open).getLast();
            last.put("version", 1).putNull("salt").putNull("contentHash");
            String hash = hash(open.caseId(), last);
            statement.execute("update mainapi.entries set version = default, salt = default, hash = '%s' where entry_id = %s".formatted(hash, last.getString("entryID")));
            statement.execute("update mainapi.heads set head_hash = '%s' where case_id = '%s'".formatted(hash, open.caseId()));
            sql.commit();
        }
    }

    @Test
    void entriesOfBothVersionsFollowEachOtherInAnyOrder() throws Exception {
        OpenCase open = people.another();
        open.docketed(new JsonObject());
        appendByTheVersionBefore(open);
        open.docketed(new JsonObject());
        appendByTheVersionBefore(open);
        appendByTheVersionBefore(open);
        open.docketed(new JsonObject());
        List<JsonObject> views = views(open);
        assertThat(views).extracting(view -> view.getInteger("version")).containsExactly(2, 1, 2, 1, 1, 2);
        for (JsonObject view : views) {
            assertThat(view.getString("hash")).isEqualTo(hash(open.caseId(), view));
        }
        assertThat(verification(open)).isEqualTo(new JsonObject().put("valid", true).put("entries", 6).put("headHash", views.getLast().getString("hash")));
        Exported exported = Exported.of(open, open.manager());
        assertThat(exported.json("docket/entries/000002.json").containsKey("version")).isFalse();
        assertThat(exported.json("docket/entries/000003.json").getInteger("version")).isEqualTo(2);
        Path folder = TestFolders.create("versions-");
        Path zip = Files.write(folder.resolve("export.zip"), exported.zip());
        Path keys = Files.writeString(folder.resolve("keys.json"), platform.get("/auth/.well-known/jwks.json").body());
        assertThat(ArbitrationCommand.execute("verify-export", zip.toString(), "--keys", keys.toString())).isZero();
    }

    @Test
    void aNumberThatADoubleWouldChangeIsRefusedAndAsTextItIsKept() {
        OpenCase open = people.another();
        for (String number : List.of("0.10000000000000001", "9007199254740993", "3.1415926535897932384626")) {
            String body = "{\"caseID\":\"%s\",\"documentID\":\"statementOfClaim\",\"fields\":{\"interestRate\":%s}}";
            RunningPlatform.Answer refused = platform.post("/api/filings/create", body.formatted(open.caseId(), number), open.claimant().token());
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.sentence()).isEqualTo("fields/interestRate: more digits than a JSON number keeps, send it as a string");
            RunningPlatform.Answer kept = platform.post("/api/filings/create", body.formatted(open.caseId(), '"' + number + '"'), open.claimant().token());
            assertThat(kept.object().getJsonObject("fields").getString("interestRate")).isEqualTo(number);
        }
    }

    /** Numbers as clients write them; the hash is over the number, the view shows it, and both hold after the way through the database. */
    @ParameterizedTest
    @ValueSource(strings = {"4.50", "0.1", "-0.0", "123456789012345680000", "0.00001234", "-1", "100", "9007199254740992", "12345678.90123456"})
    void aNumberIsHashedAsTheNumberItIs(String number) {
        OpenCase open = people.another();
        String body = "{\"caseID\":\"%s\",\"documentID\":\"statementOfClaim\",\"fields\":{\"claimantName\":\"C\",\"claimAmount\":\"1\",\"reliefSought\":\"All of it.\",\"interestRate\":%s}}";
        RunningPlatform.Answer created = platform.post("/api/filings/create", body.formatted(open.caseId(), number), open.claimant().token());
        assertThat(created.status()).as(created.body()).isEqualTo(200);
        String filing = created.object().getString("filingID");
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        Number shown = views(open).getFirst().getJsonObject("fields").getNumber("interestRate");
        assertThat(shown.doubleValue()).isEqualTo(Double.parseDouble(number));
        assertThat(verification(open).getBoolean("valid")).isTrue();
    }

    @Test
    void anEmptyDocketIsValid() {
        OpenCase open = people.another();
        JsonObject nothing = new JsonObject().put("valid", true).put("entries", 0).put("headHash", "0".repeat(64));
        assertThat(verification(open)).isEqualTo(nothing);
        // With a draft there is a head, without it there is none.
        open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(verification(open)).isEqualTo(nothing);
    }

    @Test
    void theDatabaseItselfRefusesToChangeWhatIsAppendOnly() throws SQLException {
        String caseId = docket().caseId();
        for (String change : List.of("update mainapi.entries set title = 'x' where case_id = '%s'", "delete from mainapi.entries where case_id = '%s'",
                "truncate mainapi.entries cascade", "update platform.events set event = 'x' where case_id = '%s'",
                "delete from platform.events where case_id = '%s'", "update platform.audit set action = 'x' where case_id = '%s'", "truncate platform.audit")) {
            try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
                assertThatThrownBy(() -> statement.execute(change.formatted(caseId)))
                        .as(change).isInstanceOf(SQLException.class).hasMessageContaining("append-only");
            }
        }
    }

    /**
     * What somebody with the database does, triggers and foreign keys switched off, and what verification says to it.
     *
     * @param change with {@code {case}} for the case and {@code {1}} … for the ids of its entries
     * @param firstBroken number of the entry that it names; 0 for none, because the broken one is not there any more
     */
    record Tampering(String name, int firstBroken, int entries, String... change) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Tampering> tamperings() {
        return List.of(
                new Tampering("a title is changed", 3, ENTRIES, "update mainapi.entries set title = title || '.' where entry_id = {3}"),
                new Tampering("a field is changed", 4, ENTRIES, "update mainapi.entries set fields = replace(fields, 'Zur', 'Zür') where entry_id = {4}"),
                new Tampering("a field's number is written otherwise but is the same", -1, ENTRIES,
                        "update mainapi.entries set fields = replace(fields, '4.5', '4.50') where entry_id = {5}"),
                new Tampering("a field becomes unreadable", 4, ENTRIES, "update mainapi.entries set fields = '{' where entry_id = {4}"),
                new Tampering("a field becomes a number that no double is", 5, ENTRIES,
                        "update mainapi.entries set fields = replace(fields, ':3', ':9007199254740993') where entry_id = {5}"),
                new Tampering("the filer is changed", 2, ENTRIES, "update mainapi.entries set user_id = '" + UUID.randomUUID() + "' where entry_id = {2}"),
                new Tampering("a salt is changed", 2, ENTRIES, "update mainapi.entries set salt = sha256('x') where entry_id = {2}"),
                new Tampering("a file is slipped in", 3, ENTRIES, "update mainapi.entries set file_hashes = array[repeat('a', 64)] where entry_id = {3}"),
                new Tampering("an entry is said to be of the version before", 5, ENTRIES,
                        "update mainapi.entries set version = 1, salt = null where entry_id = {5}"),
                new Tampering("an entry is dated back", 1, ENTRIES, "update mainapi.entries set entered_at = entered_at - interval '1 day' where entry_id = {1}"),
                new Tampering("what an entry replies to is changed", 2, ENTRIES, "update mainapi.entries set parent_entry_id = null where entry_id = {2}"),
                new Tampering("an entry in the middle is deleted", 4, ENTRIES - 1, "delete from mainapi.entries where entry_id = {3}"),
                new Tampering("the first entry is deleted", 2, ENTRIES - 1, "delete from mainapi.entries where entry_id = {1}"),
                new Tampering("the last entry is deleted", 0, ENTRIES - 1, "delete from mainapi.entries where entry_id = {6}"),
                new Tampering("every entry is deleted", 0, 0, "delete from mainapi.entries where case_id = '{case}'"),
                new Tampering("an entry is deleted and those behind it count on", 4, ENTRIES - 1, "delete from mainapi.entries where entry_id = {3}",
                        "update mainapi.entries set number = number - 1 where entry_id = {4}", "update mainapi.entries set number = number - 1 where entry_id = {5}",
                        "update mainapi.entries set number = number - 1 where entry_id = {6}"),
                new Tampering("two entries are swapped", 5, ENTRIES, "update mainapi.entries set number = 99 where entry_id = {4}",
                        "update mainapi.entries set number = 4 where entry_id = {5}", "update mainapi.entries set number = 5 where entry_id = {4}"),
                new Tampering("a hash is changed", 4, ENTRIES, "update mainapi.entries set hash = repeat('a', 64) where entry_id = {4}"),
                new Tampering("the last entry's hash is changed", 6, ENTRIES, "update mainapi.entries set hash = repeat('a', 64) where entry_id = {6}"),
                new Tampering("the head's hash is changed", 6, ENTRIES, "update mainapi.heads set head_hash = repeat('a', 64) where case_id = '{case}'"),
                new Tampering("the head counts too far", 0, ENTRIES, "update mainapi.heads set last_number = last_number + 1 where case_id = '{case}'"),
                new Tampering("the head is set back to an earlier entry", 5, 4, """
                        update mainapi.heads set last_number = 4, head_hash = (select hash from mainapi.entries where entry_id = {4}) where case_id = '{case}'
                        """),
                new Tampering("the head is set back to the beginning", 1, 0,
                        "update mainapi.heads set last_number = 0, head_hash = repeat('0', 64) where case_id = '{case}'"),
                new Tampering("the head is deleted", 1, 0, "delete from mainapi.heads where case_id = '{case}'"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tamperings")
    void whoeverChangesTheDatabaseIsFoundOut(Tampering tampering) throws SQLException {
        OpenCase open = docket();
        JsonArray docket = open.docket(open.claimant());
        String headHash = verification(open).getString("headHash");
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute("set local session_replication_role = replica");
            for (String change : tampering.change) {
                String named = change.replace("{case}", open.caseId());
                for (int i = 1; i <= ENTRIES; i++) {
                    named = named.replace("{" + i + "}", docket.getJsonObject(i - 1).getString("entryID"));
                }
                assertThat(statement.executeUpdate(named)).as(named).isPositive();
            }
            sql.commit();
        }

        JsonObject proof = verification(open);
        if (tampering.firstBroken < 0) {
            assertThat(proof).isEqualTo(new JsonObject().put("valid", true).put("entries", ENTRIES).put("headHash", headHash));
        } else {
            assertThat(proof.getBoolean("valid")).isFalse();
            assertThat(proof.getInteger("entries")).isEqualTo(tampering.entries);
            assertThat(proof.getString("firstBroken")).isEqualTo(
                    tampering.firstBroken == 0 ? null : docket.getJsonObject(tampering.firstBroken - 1).getString("entryID"));
        }
    }
}
