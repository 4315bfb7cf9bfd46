package io.arbitration.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.archive.InvalidArchive;
import io.arbitration.platform.archive.ZipReader;
import io.arbitration.platform.archive.ZipReader.Member;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies the export of a case without the platform: the signature, every byte, the files against the manifest, the hash chain,
 * and the indexes against the listed files. Nothing is unpacked to disk. The needed memory grows with the number of files, not
 * with their size.
 */
final class ExportVerification {

    private static final int FILES_MAX = 260_000;
    private static final int MANIFEST_BYTES_MAX = 64 << 20;
    private static final int SIGNATURE_BYTES_MAX = 64 << 10;
    private static final int SMALL_BYTES_MAX = 16 << 20;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Optional<String> keysPlace;
    private final Problems problems = new Problems();
    private final ExportedManifest manifest = new ExportedManifest(problems);
    private final ExportedDocket docket = new ExportedDocket(manifest, problems);
    private final Set<String> exhibitsIndexed = new HashSet<>();
    private JsonObject statement = new JsonObject();
    private PublishedKeys keys;
    private CommandFailure keysUnreadable;
    private long auditLines;
    private int files;

    /** @param keysPlace file or address of the published keys; empty: the address of the issuer */
    ExportVerification(Optional<String> keysPlace) {
        this.keysPlace = keysPlace;
    }

    /** The problems, in the order in which they were found; empty if the export is intact. */
    List<String> problems() {
        return problems.found();
    }

    /** The payload that the platform signed. */
    JsonObject statement() {
        return statement;
    }

    ExportedDocket docket() {
        return docket;
    }

    int files() {
        return files;
    }

    /**
     * @throws IOException when the file cannot be read
     * @throws CommandFailure when the keys cannot be read
     */
    void verify(Path file) throws IOException {
        try (ZipReader zip = ZipReader.open(file, FILES_MAX)) {
            List<Member> members = zip.members();
            files = members.size();
            checkPaths(members);
            if (members.size() < 2 || !isLast(members, 2, ExportFormat.MANIFEST) || !isLast(members, 1, ExportFormat.SIGNATURE)) {
                problems.add("missing: an export ends with %s and %s", ExportFormat.MANIFEST, ExportFormat.SIGNATURE);
                return;
            }
            byte[] list = zip.whole(members.get(members.size() - 2), MANIFEST_BYTES_MAX);
            checkSignature(zip.whole(members.getLast(), SIGNATURE_BYTES_MAX), list);
            manifest.read(list, statement);
            readFiles(zip, members.subList(0, members.size() - 2));
            manifest.checkArchive(zip, members.get(members.size() - 2));
            for (Member sealing : members.subList(members.size() - 2, members.size())) {
                zip.read(sealing, in -> { });
            }
            checkEnds();
        } catch (InvalidArchive broken) {
            problems.add("altered: %s", broken.getMessage());
        }
    }

    private static boolean isLast(List<Member> members, int fromEnd, String path) {
        return members.get(members.size() - fromEnd).path().equals(path);
    }

    /** Finds paths by which a program that unpacks the archive would write outside of its folder, or write one file over another. */
    private void checkPaths(List<Member> members) {
        Set<String> seen = new HashSet<>();
        for (Member member : members) {
            String path = member.path();
            boolean unsafe = path.startsWith("/") || path.contains("\\") || path.matches("(?s).*(^|/)\\.{0,2}(/|$).*") || path.matches("(?s)^[A-Za-z]:.*")
                    || path.chars().anyMatch(Character::isISOControl);
            if (unsafe) {
                problems.add("unsafe: no export has the path %s", Problems.shown(path));
            }
            if (!seen.add(path.toLowerCase(Locale.ROOT))) {
                problems.add("extra: %s is there twice", Problems.shown(path));
            }
        }
    }

    private void checkSignature(byte[] signature, byte[] list) {
        try {
            statement = new SignedStatement(new String(signature, StandardCharsets.US_ASCII), ExportFormat.SIGNATURE_TYPE)
                    .verifiedPayload(issuer -> keys(issuer));
        } catch (CommandFailure failed) {
            if (failed == keysUnreadable) {
                throw failed;
            }
            problems.add("signature: %s", failed.getMessage());
            return;
        }
        boolean isSigned = Sha256.hex(list).equals(statement.getString("manifestHash")) && ExportedManifest.same(statement, "manifestBytes", list.length);
        if (!isSigned) {
            problems.add("altered: %s is not the one that was signed", ExportFormat.MANIFEST);
        }
    }

    private PublishedKeys keys(String issuer) {
        try {
            keys = keys == null ? PublishedKeys.at(keysPlace.orElseGet(() -> PublishedKeys.placeOf(issuer))) : keys;
            return keys;
        } catch (CommandFailure unreadable) {
            keysUnreadable = unreadable;
            throw unreadable;
        }
    }

    private void readFiles(ZipReader zip, List<Member> members) throws IOException {
        Map<String, ExportedManifest.Listed> left = new LinkedHashMap<>(manifest.listed());
        for (Member member : members) {
            ExportedManifest.Listed expected = left.remove(member.path());
            if (expected == null) {
                problems.add("extra: %s is not in manifest.json", Problems.shown(member.path()));
            }
            readFile(zip, member, expected);
        }
        left.keySet().forEach(path -> problems.add("missing: %s", Problems.shown(path)));
    }

    private void readFile(ZipReader zip, Member member, ExportedManifest.Listed expected) throws IOException {
        MessageDigest digest = Sha256.digest();
        try {
            zip.read(member, content -> {
                InputStream hashed = new DigestInputStream(content, digest);
                look(member.path(), hashed);
                byte[] buffer = new byte[BUFFER_BYTES];
                while (hashed.read(buffer) >= 0) {
                    continue;
                }
            });
        } catch (InvalidArchive broken) {
            problems.add("altered: %s", broken.getMessage());
            return;
        }
        if (expected != null && (member.bytes() != expected.bytes() || !HexFormat.of().formatHex(digest.digest()).equals(expected.sha256()))) {
            problems.add("altered: %s is not what manifest.json lists", Problems.shown(member.path()));
        }
    }

    /** Reads the files that describe other files: the indexes, the entries, the receipts and the audit trail. */
    private void look(String path, InputStream content) throws IOException {
        try {
            if (path.equals(ExportFormat.DOCKET_INDEX)) {
                Inputs.elements(content, "entries", docket::indexLine);
            } else if (path.equals(ExportFormat.EXHIBITS_INDEX)) {
                Inputs.elements(content, "exhibits", this::exhibit);
            } else if (path.equals(ExportFormat.AUDIT)) {
                countLines(content);
            } else if (path.equals(ExportFormat.content(docket.lastNumber() + 1))) {
                docket.entry(Inputs.json(small(content, path), path));
            } else if (path.equals(ExportFormat.receipt(docket.lastNumber()))) {
                docket.receipt(new SignedStatement(small(content, path).strip(), VerifyReceiptCommand.TYPE).verifiedPayload(this::keys), path);
            }
        } catch (JsonProcessingException malformed) {
            problems.add("%s: is not JSON", path);
        } catch (CommandFailure | ClassCastException | IllegalArgumentException malformed) {
            problems.add("%s: %s", path, malformed.getMessage());
        }
    }

    private static String small(InputStream content, String path) throws IOException {
        byte[] bytes = content.readNBytes(SMALL_BYTES_MAX + 1);
        if (bytes.length > SMALL_BYTES_MAX) {
            throw new CommandFailure("is larger than %d bytes".formatted(SMALL_BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void exhibit(JsonObject exhibit) {
        String path = exhibit.getString("file", "");
        ExportedManifest.Listed file = manifest.listed().get(path);
        if (!exhibitsIndexed.add(path) || file == null) {
            problems.add("missing: %s, the exhibit %s", Problems.shown(path), Problems.shown(exhibit.getString("exhibitNumber", "")));
        } else if (!ExportedManifest.same(exhibit, "bytes", file.bytes()) || !file.sha256().equals(exhibit.getString("sha256"))) {
            problems.add("exhibits/index.json: has another hash or length of %s than manifest.json", Problems.shown(path));
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

    private void checkEnds() {
        docket.checkEnd();
        manifest.listed().keySet().stream()
                .filter(path -> path.startsWith("exhibits/") && !path.equals(ExportFormat.EXHIBITS_INDEX) && !exhibitsIndexed.contains(path))
                .forEach(path -> problems.add("exhibits/index.json: does not name %s", Problems.shown(path)));
        docket.checkFilesNamed();
        Object stated = manifest.value("auditLines");
        if (stated instanceof Number number ? number.longValue() != auditLines : auditLines != 0) {
            problems.add("audit.jsonl: has %d lines, manifest.json says %s", auditLines, stated);
        }
    }
}
