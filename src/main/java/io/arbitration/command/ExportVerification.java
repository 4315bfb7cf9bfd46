package io.arbitration.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.arbitration.domain.docket.EntryHash;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.platform.archive.BrokenArchive;
import io.arbitration.platform.archive.ZipReader;
import io.arbitration.platform.archive.ZipReader.Member;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Verifies the export of a case without the platform: the signature, every byte, the files against the manifest, the hash chain,
 * and the indexes against what they list. Nothing is unpacked to disk. The memory it needs grows with the number of files, not with
 * their size.
 */
final class ExportVerification {

    private static final int FILES_MAX = 260_000;
    private static final int MANIFEST_BYTES_MAX = 64 << 20;
    private static final int SIGNATURE_BYTES_MAX = 64 << 10;
    private static final int SMALL_BYTES_MAX = 16 << 20;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int PROBLEMS_MAX = 10_000;
    /** Members that a docket entry has in its own file and in the index. */
    private static final List<String> INDEXED = List.of("number", "entryID", "enteredAt", "userID", "organizationID", "phaseID", "documentID",
            "partyID", "filingID", "title", "supersedes", "supersededBy", "hash", "withheld");

    private record Listed(long bytes, String sha256) {}

    private final Optional<String> keysPlace;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Listed> listed = new LinkedHashMap<>();
    private final Map<Integer, String> indexed = new HashMap<>();
    private final Set<String> exhibitsIndexed = new HashSet<>();
    /** The files that were filed, by the number of their entry. */
    private final Map<Integer, List<String>> filed = new HashMap<>();
    private final Set<String> filesIndexed = new HashSet<>();
    /** The files that stand in the place of what was filed. */
    private final Set<String> redacted = new HashSet<>();
    private JsonObject statement = new JsonObject();
    private JsonObject manifest = new JsonObject();
    private PublishedKeys keys;
    private StepFailed keysUnreadable;
    private Chain chain = new Chain(0, ContentHash.FIRST_PREVIOUS_HASH, "");
    private long auditLines;
    private int files;
    private int withheld;

    /** The entry that was read last. The receipt that follows it in the archive is of the same filing. */
    private record Chain(int number, String hash, String contentHash) {}

    /** @param keysPlace file or address of the published keys; empty: where the issuer publishes them */
    ExportVerification(Optional<String> keysPlace) {
        this.keysPlace = keysPlace;
    }

    /** What is wrong, in the order in which it was found; empty when the export is intact. */
    List<String> problems() {
        return problems;
    }

    /** The payload that the platform signed. */
    JsonObject statement() {
        return statement;
    }

    /** How many files stand redacted in the place of what was filed. */
    int redacted() {
        return redacted.size();
    }

    int files() {
        return files;
    }

    /** Docket entries that were withheld from whoever exported the case. */
    int withheld() {
        return withheld;
    }

    /**
     * @throws IOException when the file cannot be read
     * @throws StepFailed when the keys cannot be read
     */
    void verify(Path file) throws IOException {
        try (ZipReader zip = ZipReader.open(file, FILES_MAX)) {
            List<Member> members = zip.members();
            files = members.size();
            checkPaths(members);
            if (members.size() < 2 || !isLast(members, 2, ExportFormat.MANIFEST) || !isLast(members, 1, ExportFormat.SIGNATURE)) {
                problem("missing: an export ends with %s and %s", ExportFormat.MANIFEST, ExportFormat.SIGNATURE);
                return;
            }
            byte[] list = zip.whole(members.get(members.size() - 2), MANIFEST_BYTES_MAX);
            checkSignature(zip.whole(members.getLast(), SIGNATURE_BYTES_MAX), list);
            readManifest(list);
            readFiles(zip, members.subList(0, members.size() - 2));
            checkArchive(zip, members.get(members.size() - 2));
            for (Member sealing : members.subList(members.size() - 2, members.size())) {
                zip.read(sealing, in -> { });
            }
            checkEnds();
        } catch (BrokenArchive broken) {
            problem("altered: %s", broken.getMessage());
        }
    }

    private static boolean isLast(List<Member> members, int fromEnd, String path) {
        return members.get(members.size() - fromEnd).path().equals(path);
    }

    private void problem(String text, Object... values) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(text.formatted(values));
        }
    }

    /** Finds paths by which a program that unpacks the archive would write outside of its folder, or write one file over another. */
    private void checkPaths(List<Member> members) {
        Set<String> seen = new HashSet<>();
        for (Member member : members) {
            String path = member.path();
            boolean unsafe = path.startsWith("/") || path.contains("\\") || path.matches("(?s).*(^|/)\\.{0,2}(/|$).*") || path.matches("(?s)^[A-Za-z]:.*")
                    || path.chars().anyMatch(Character::isISOControl);
            if (unsafe) {
                problem("unsafe: %s is no path that an export has", shown(path));
            }
            if (!seen.add(path.toLowerCase(java.util.Locale.ROOT))) {
                problem("extra: %s is there twice", shown(path));
            }
        }
    }

    /** Escapes control characters: whoever made the archive chose the names, and a terminal would obey such characters. */
    private static String shown(String path) {
        StringBuilder text = new StringBuilder();
        path.codePoints().limit(200).forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                        text.append("\\u{%x}".formatted(c));
                default -> text.appendCodePoint(c);
            }
        });
        return text.toString();
    }

    private void checkSignature(byte[] signature, byte[] list) {
        try {
            statement = new SignedStatement(new String(signature, StandardCharsets.US_ASCII), ExportFormat.SIGNATURE_TYPE)
                    .verifiedPayload(issuer -> keys(issuer));
        } catch (StepFailed failed) {
            if (failed == keysUnreadable) {
                throw failed;
            }
            problem("signature: %s", failed.getMessage());
            return;
        }
        boolean isSigned = ContentHash.sha256(list).equals(statement.getString("manifestHash")) && same(statement, "manifestBytes", list.length);
        if (!isSigned) {
            problem("altered: %s is not the one that was signed", ExportFormat.MANIFEST);
        }
    }

    private PublishedKeys keys(String issuer) {
        try {
            keys = keys == null ? PublishedKeys.at(keysPlace.orElseGet(() -> PublishedKeys.placeOf(issuer))) : keys;
            return keys;
        } catch (StepFailed unreadable) {
            keysUnreadable = unreadable;
            throw unreadable;
        }
    }

    private void readManifest(byte[] list) {
        try {
            manifest = Inputs.elements(new ByteArrayInputStream(list), "files", this::listedFile);
            if (!ExportFormat.READABLE.contains(String.valueOf(manifest.getValue("format")))) {
                problem("manifest.json: its format is %s, this program reads %s", manifest.getValue("format"), String.join(" and ", ExportFormat.READABLE));
            }
            for (String member : List.of("iss", "caseID", "exportedAt")) {
                agree(member, manifest.getValue(member), statement.getValue(member));
            }
            agree("exportedBy", manifest.getJsonObject("exportedBy").getValue("userID"), statement.getValue("userID"));
            agree("entries", String.valueOf(docket().getValue("entries")), String.valueOf(statement.getValue("entries")));
            agree("headHash", docket().getValue("headHash"), statement.getValue("headHash"));
        } catch (IOException | StepFailed | ClassCastException | NullPointerException malformed) {
            problem("manifest.json: is not the list of an export");
        }
    }

    private void listedFile(JsonObject line) {
        Listed before = listed.put(line.getString("path"), new Listed(line.getLong("bytes"), line.getString("sha256")));
        if (before != null) {
            problem("manifest.json: lists %s twice", shown(line.getString("path")));
        }
    }

    private JsonObject docket() {
        return manifest.getValue("docket") instanceof JsonObject docket ? docket : new JsonObject();
    }

    private void agree(String what, Object inManifest, Object signed) {
        if (!Objects.equals(inManifest, signed)) {
            problem("altered: %s is %s in manifest.json, %s was signed", what, inManifest, signed);
        }
    }

    private static boolean same(JsonObject object, String member, long value) {
        return object.getValue(member) instanceof Number number && number.longValue() == value;
    }

    private void readFiles(ZipReader zip, List<Member> members) throws IOException {
        Map<String, Listed> left = new LinkedHashMap<>(listed);
        for (Member member : members) {
            Listed expected = left.remove(member.path());
            if (expected == null) {
                problem("extra: %s is not in manifest.json", shown(member.path()));
            }
            readFile(zip, member, expected);
        }
        left.keySet().forEach(path -> problem("missing: %s", shown(path)));
    }

    private void readFile(ZipReader zip, Member member, Listed expected) throws IOException {
        MessageDigest digest = ContentHash.sha256();
        try {
            zip.read(member, content -> {
                InputStream hashed = new java.security.DigestInputStream(content, digest);
                look(member, expected, hashed);
                byte[] buffer = new byte[BUFFER_BYTES];
                while (hashed.read(buffer) >= 0) {
                    continue;
                }
            });
        } catch (BrokenArchive broken) {
            problem("altered: %s", broken.getMessage());
            return;
        }
        if (expected != null && (member.bytes() != expected.bytes || !HexFormat.of().formatHex(digest.digest()).equals(expected.sha256))) {
            problem("altered: %s is not what manifest.json lists", shown(member.path()));
        }
    }

    /** Reads the files that describe other files: the indexes, the entries, the receipts and the audit trail. */
    private void look(Member member, Listed expected, InputStream content) throws IOException {
        String path = member.path();
        try {
            if (path.equals(ExportFormat.DOCKET_INDEX)) {
                Inputs.elements(content, "entries", this::indexLine);
            } else if (path.equals(ExportFormat.EXHIBITS_INDEX)) {
                Inputs.elements(content, "exhibits", this::exhibit);
            } else if (path.equals(ExportFormat.AUDIT)) {
                countLines(content);
            } else if (path.equals(ExportFormat.content(chain.number + 1))) {
                entry(Inputs.json(small(content, path), path));
            } else if (path.equals(ExportFormat.receipt(chain.number))) {
                receipt(small(content, path), path);
            }
        } catch (JsonProcessingException malformed) {
            problem("%s: is not JSON", path);
        } catch (StepFailed | ClassCastException | IllegalArgumentException malformed) {
            problem("%s: %s", path, malformed.getMessage());
        }
    }

    private static String small(InputStream content, String path) throws IOException {
        byte[] bytes = content.readNBytes(SMALL_BYTES_MAX + 1);
        if (bytes.length > SMALL_BYTES_MAX) {
            throw new StepFailed("is larger than %d bytes".formatted(SMALL_BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void indexLine(JsonObject line) {
        int number = line.getInteger("number", 0);
        if (number != indexed.size() + 1) {
            problem("docket/index.json: line %d is of entry %d", indexed.size() + 1, number);
        }
        indexed.put(number, ContentHash.of(line.getMap(), INDEXED));
        JsonObject of = line.getJsonObject("files", new JsonObject());
        boolean withheld = isWithheld(line);
        boolean rendered = Boolean.TRUE.equals(docket().getValue("rendered")) && !withheld;
        boolean named = ExportFormat.content(number).equals(of.getString("content"))
                && (withheld ? "" : ExportFormat.receipt(number)).equals(of.getString("receipt", ""))
                && (rendered ? ExportFormat.paper(number) : "").equals(of.getString("rendered", ""));
        if (!named) {
            problem("docket/index.json: entry %d names other files than its own", number);
        }
        List<String> paths = of.getValue("filed") instanceof JsonArray array ? array.stream().map(String::valueOf).toList() : List.of();
        filed.put(number, paths);
        paths.forEach(path -> {
            if (!filesIndexed.add(path) || !listed.containsKey(path)) {
                problem("missing: %s, a file of docket entry %d", shown(path), number);
            }
        });
        if (of.getValue("redacted") instanceof JsonArray array) {
            array.forEach(path -> redacted.add(String.valueOf(path)));
        }
        of.remove("filed");
        of.remove("redacted");
        of.forEach(name -> {
            if (!listed.containsKey(String.valueOf(name.getValue()))) {
                problem("missing: %s of docket entry %d", shown(String.valueOf(name.getValue())), number);
            }
        });
    }

    /** Checks the next docket entry: its own hash, and that it follows the entry before it. */
    private void entry(JsonObject entry) {
        int number = chain.number + 1;
        withheld += isWithheld(entry) ? 1 : 0;
        String hash = entryHash(entry);
        boolean follows = same(entry, "number", number) && chain.hash.equals(entry.getString("previousHash")) && hash.equals(entry.getString("hash"))
                && Objects.equals(entry.getValue("caseID"), manifest.getValue("caseID"));
        if (!follows) {
            problem("chain broken at %d: %s", number, !hash.equals(entry.getString("hash"))
                    ? "what the entry says has not the hash that it states" : "it does not follow the entry before it");
        }
        if (!ContentHash.of(entry.getMap(), INDEXED).equals(indexed.get(number))) {
            problem("docket/index.json: says other things of entry %d than the entry itself", number);
        }
        if (!isWithheld(entry)) {
            checkFiled(number, entry.getValue("files") instanceof JsonArray hashes ? hashes.getList() : List.of());
        }
        chain = new Chain(number, hash, isWithheld(entry) ? "" : ContentHash.of(entry.getMap(), ContentHash.FILING_MEMBERS));
    }

    /**
     * Checks that the files in the archive are those whose hashes the entry contains, in their order. Of one that was redacted the entry
     * contains the hash of the original, which is not in the archive.
     */
    private void checkFiled(int number, List<?> hashes) {
        List<String> paths = filed.getOrDefault(number, List.of());
        boolean same = paths.size() == hashes.size() && IntStream.range(0, paths.size()).allMatch(at -> redacted.contains(paths.get(at))
                || listed.containsKey(paths.get(at)) && listed.get(paths.get(at)).sha256.equals(hashes.get(at)));
        if (!same) {
            problem("docket/index.json: the files of entry %d are not those that were filed", number);
        }
    }

    private static boolean isWithheld(JsonObject entry) {
        return Boolean.TRUE.equals(entry.getValue("withheld"));
    }

    /** Empty where the entry is not in a form that can be hashed. */
    private static String entryHash(JsonObject entry) {
        boolean isVersion1 = !entry.containsKey(EntryHash.VERSION);
        if (isWithheld(entry) && isVersion1) {
            // Nothing of it can be computed: it is held by the entries before and after it, which state its hash.
            return entry.getString("hash", "");
        }
        if (!isWithheld(entry) && !isVersion1 && !entry.containsKey(EntryHash.SALT)) {
            return "";
        }
        try {
            return EntryHash.of(entry.getMap());
        } catch (IllegalArgumentException notHashed) {
            return "";
        }
    }

    private void receipt(String compact, String path) {
        JsonObject receipt = new SignedStatement(compact.strip(), VerifyReceiptCommand.TYPE).verifiedPayload(this::keys);
        if (!chain.hash.equals(receipt.getString("entryHash")) || !chain.contentHash.equals(receipt.getString("contentHash"))) {
            problem("%s: is the receipt of another filing", path);
        }
    }

    private void exhibit(JsonObject exhibit) {
        String path = exhibit.getString("file", "");
        Listed file = listed.get(path);
        if (!exhibitsIndexed.add(path) || file == null) {
            problem("missing: %s, the exhibit %s", shown(path), shown(exhibit.getString("exhibitNumber", "")));
        } else if (!same(exhibit, "bytes", file.bytes) || !file.sha256.equals(exhibit.getString("sha256"))) {
            problem("exhibits/index.json: says another hash or length of %s than manifest.json", shown(path));
        }
    }

    private void countLines(InputStream content) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
            for (int i = 0; i < count; i++) {
                auditLines += buffer[i] == '\n' ? 1 : 0;
            }
        }
    }

    /** Compares all bytes before the manifest with the hash that the manifest states, including the bytes between the files. */
    private void checkArchive(ZipReader zip, Member manifestFile) {
        JsonObject archive = manifest.getValue("archive") instanceof JsonObject stated ? stated : new JsonObject();
        boolean whole = same(archive, "bytes", manifestFile.offset());
        if (!zip.sha256().equals(archive.getValue("sha256")) || !whole) {
            problem("altered: the archive is not byte for byte the one that was signed");
        }
    }

    private void checkEnds() {
        if (!same(docket(), "entries", chain.number) || indexed.size() != chain.number) {
            problem("chain broken at %d: the docket has %s entries", chain.number + 1, docket().getValue("entries"));
        } else if (!chain.hash.equals(docket().getValue("headHash"))) {
            problem("chain broken at %d: the docket ended with another hash", chain.number);
        }
        listed.keySet().stream()
                .filter(path -> path.startsWith("exhibits/") && !path.equals(ExportFormat.EXHIBITS_INDEX) && !exhibitsIndexed.contains(path))
                .forEach(path -> problem("exhibits/index.json: does not name %s", shown(path)));
        listed.keySet().stream().filter(path -> path.startsWith(ExportFormat.FILES) && !filesIndexed.contains(path))
                .forEach(path -> problem("docket/index.json: does not name %s", shown(path)));
        Object stated = manifest.getValue("auditLines");
        if (stated instanceof Number number ? number.longValue() != auditLines : auditLines != 0) {
            problem("audit.jsonl: has %d lines, manifest.json says %s", auditLines, stated);
        }
    }
}
