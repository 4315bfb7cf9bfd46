package io.arbitration.command;

import io.arbitration.domain.docket.EntryHash;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.hash.ContentHash;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** The docket of an export while it is read: each entry must follow the one before it, and agree with the index. */
final class ExportedDocket {

    /** Members that a docket entry has in its own file and in the index. */
    private static final List<String> INDEXED = List.of("number", "entryID", "enteredAt", "userID", "organizationID", "phaseID", "documentID",
            "partyID", "filingID", "title", "supersedes", "supersededBy", "hash", "withheld");

    private final ExportedManifest manifest;
    private final Problems problems;
    private final Map<Integer, String> indexed = new HashMap<>();
    /** The files that were filed, by the number of their entry. */
    private final Map<Integer, List<String>> filed = new HashMap<>();
    private final Set<String> filesIndexed = new HashSet<>();
    /** The files that replace redacted ones. */
    private final Set<String> redacted = new HashSet<>();
    private Chain chain = new Chain(0, ContentHash.FIRST_PREVIOUS_HASH, "");
    private int withheld;

    /** The entry that was read last. The receipt that follows it in the archive is of the same filing. */
    private record Chain(int number, String hash, String contentHash) {}

    ExportedDocket(ExportedManifest manifest, Problems problems) {
        this.manifest = manifest;
        this.problems = problems;
    }

    /** The number of the entry that was read last. */
    int lastNumber() {
        return chain.number;
    }

    /** How many filed files are replaced by redacted ones. */
    int redacted() {
        return redacted.size();
    }

    /** How many entries were withheld from the user who exported the case. */
    int withheld() {
        return withheld;
    }

    /** Takes the next line of the index. */
    void indexLine(JsonObject line) {
        int number = line.getInteger("number", 0);
        if (number != indexed.size() + 1) {
            problems.add("docket/index.json: line %d is of entry %d", indexed.size() + 1, number);
        }
        indexed.put(number, ContentHash.of(line.getMap(), INDEXED));
        JsonObject of = line.getJsonObject("files", new JsonObject());
        boolean withheld = isWithheld(line);
        boolean rendered = Boolean.TRUE.equals(manifest.docket().getValue("rendered")) && !withheld;
        boolean named = ExportFormat.content(number).equals(of.getString("content"))
                && (withheld ? "" : ExportFormat.receipt(number)).equals(of.getString("receipt", ""))
                && (rendered ? ExportFormat.paper(number) : "").equals(of.getString("rendered", ""));
        if (!named) {
            problems.add("docket/index.json: entry %d names other files than its own", number);
        }
        List<String> paths = of.getValue("filed") instanceof JsonArray array ? array.stream().map(String::valueOf).toList() : List.of();
        filed.put(number, paths);
        paths.forEach(path -> {
            if (!filesIndexed.add(path) || !manifest.listed().containsKey(path)) {
                problems.add("missing: %s, a file of docket entry %d", Problems.shown(path), number);
            }
        });
        if (of.getValue("redacted") instanceof JsonArray array) {
            array.forEach(path -> redacted.add(String.valueOf(path)));
        }
        of.remove("filed");
        of.remove("redacted");
        of.forEach(name -> {
            if (!manifest.listed().containsKey(String.valueOf(name.getValue()))) {
                problems.add("missing: %s of docket entry %d", Problems.shown(String.valueOf(name.getValue())), number);
            }
        });
    }

    /** Checks the next docket entry: its own hash, and that it follows the entry before it. */
    void entry(JsonObject entry) {
        int number = chain.number + 1;
        withheld += isWithheld(entry) ? 1 : 0;
        String hash = entryHash(entry);
        boolean follows = ExportedManifest.same(entry, "number", number) && chain.hash.equals(entry.getString("previousHash")) && hash.equals(entry.getString("hash"))
                && Objects.equals(entry.getValue("caseID"), manifest.value("caseID"));
        if (!follows) {
            problems.add("chain broken at %d: %s", number, !hash.equals(entry.getString("hash"))
                    ? "the content of the entry does not have the hash that the entry states" : "it does not follow the entry before it");
        }
        if (!ContentHash.of(entry.getMap(), INDEXED).equals(indexed.get(number))) {
            problems.add("docket/index.json: differs from entry %d itself", number);
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
                || manifest.listed().containsKey(paths.get(at)) && manifest.listed().get(paths.get(at)).sha256().equals(hashes.get(at)));
        if (!same) {
            problems.add("docket/index.json: the files of entry %d are not those that were filed", number);
        }
    }

    private static boolean isWithheld(JsonObject entry) {
        return Boolean.TRUE.equals(entry.getValue("withheld"));
    }

    /** Empty where the entry is not in a form that can be hashed. */
    private static String entryHash(JsonObject entry) {
        boolean isVersion1 = !entry.containsKey(EntryHash.VERSION);
        if (isWithheld(entry) && isVersion1) {
            // Nothing of it can be computed; the entries before and after it confirm its hash.
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

    /** @param receipt the signed payload, whose signature is valid */
    void receipt(JsonObject receipt, String path) {
        if (!chain.hash.equals(receipt.getString("entryHash")) || !chain.contentHash.equals(receipt.getString("contentHash"))) {
            problems.add("%s: is the receipt of another filing", path);
        }
    }

    /** Compares the end of the docket with the signed statement. */
    void checkEnd() {
        if (!ExportedManifest.same(manifest.docket(), "entries", chain.number) || indexed.size() != chain.number) {
            problems.add("chain broken at %d: the docket has %s entries", chain.number + 1, manifest.docket().getValue("entries"));
        } else if (!chain.hash.equals(manifest.docket().getValue("headHash"))) {
            problems.add("chain broken at %d: the docket ended with another hash", chain.number);
        }
    }

    void checkFilesNamed() {
        manifest.listed().keySet().stream().filter(path -> path.startsWith(ExportFormat.FILES) && !filesIndexed.contains(path))
                .forEach(path -> problems.add("docket/index.json: does not name %s", Problems.shown(path)));
    }
}
