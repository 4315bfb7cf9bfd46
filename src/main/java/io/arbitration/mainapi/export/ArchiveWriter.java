package io.arbitration.mainapi.export;

import static io.arbitration.mainapi.export.ArchiveFiles.await;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.export.CaseArchives.Sources;
import io.arbitration.platform.archive.BlockPipe;
import io.arbitration.platform.archive.ZipWriter;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Writes one archive, file by file, with one page of rows of the case in memory at a time. Used by one thread, which it blocks. */
final class ArchiveWriter {

    private static final int AUDIT_PAGE = 1000;
    /** The longest duration of a transaction. */
    private static final Duration RECENT = Duration.ofDays(1);

    private final Sources sources;
    private final ExportOrder order;
    private final Snapshot snapshot;
    private final Map<PartyId, Integer> seen;
    private final Supplier<Future<Boolean>> rendersPapers;
    private final Instant at;
    private final ArchiveFiles files;
    private long auditLines;

    ArchiveWriter(Sources sources, ExportOrder order, Snapshot snapshot, Map<PartyId, Integer> seen, Supplier<Future<Boolean>> rendersPapers,
            Instant at, BlockPipe pipe) {
        this.sources = sources;
        this.order = order;
        this.snapshot = snapshot;
        this.seen = seen;
        this.rendersPapers = rendersPapers;
        this.at = at;
        this.files = new ArchiveFiles(order, sources.audit(), at, pipe);
    }

    /** The file that is being written; after a failure, the one that was being written. */
    String at() {
        return files.at();
    }

    void write() throws IOException, InterruptedException {
        try (files) {
            files.text(ExportFormat.README, readme());
            files.compressed(ExportFormat.CASE, out -> out.write(order.shown().getBytes()));
            // Sent at once, so that the reader gets the beginning of the archive while the rest is made.
            files.flush();
            boolean papers = await(rendersPapers.get());
            files.text(ExportFormat.PEOPLE, people().encodePrettily());
            new DocketFiles(sources, order, snapshot, at, papers, files).write();
            int exhibits = new ExhibitFiles(sources, order, seen, files).write();
            if (order.withAudit()) {
                files.compressedLarge(ExportFormat.AUDIT, this::audit);
            }
            seal(papers, exhibits);
        }
    }

    private JsonObject people() throws InterruptedException {
        return ExportJson.people(
                await(sources.repository().people(order.caseId(), snapshot.lastNumber())),
                await(sources.repository().organizations(order.caseId(), snapshot.lastNumber())));
    }

    private void audit(OutputStream out) throws IOException, InterruptedException {
        long after = 0;
        List<AuditTrail.Entry> page;
        do {
            page = await(sources.audit().read(order, after, snapshot, at.minus(RECENT), AUDIT_PAGE));
            for (AuditTrail.Entry entry : page) {
                out.write((entry.line().json().encode() + "\n").getBytes(StandardCharsets.UTF_8));
                after = entry.auditId();
                auditLines++;
            }
        } while (page.size() == AUDIT_PAGE);
    }

    /** Manifest and signature: they cover every byte before them. */
    private void seal(boolean papers, int exhibits) throws IOException {
        JsonObject by = new JsonObject()
                .put("userID", order.requester().userId().toString())
                .put("partyID", snapshot.participation().part().map(part -> part.partyId().value()).orElse(null))
                .put("isObserver", snapshot.participation().part().map(Participant::isObserver).orElse(false))
                .put("isSuperAdministrator", order.requester().isSuperAdministrator());
        ZipWriter.Written written = files.writeManifest(new JsonObject()
                .put("format", ExportFormat.NAME)
                .put("iss", sources.issuer())
                .put("caseID", order.caseId().toString())
                .put("title", order.title())
                .put("phaseID", snapshot.participation().phaseId().value())
                .put("revision", snapshot.revision())
                .put("exportedAt", Timestamps.text(at))
                .put("exportedBy", by)
                .put("requestID", order.requester().requestId())
                .put("docket", new JsonObject().put("entries", snapshot.lastNumber()).put("headHash", snapshot.headHash()).put("rendered", papers))
                .put("exhibits", new JsonObject().put("count", exhibits).put("ofParties", new JsonArray(seen.keySet().stream().map(PartyId::value).sorted().toList())))
                .put("auditLines", order.withAudit() ? auditLines : null));
        JsonObject statement = new JsonObject()
                .put("iss", sources.issuer())
                .put("caseID", order.caseId().toString())
                .put("exportedAt", Timestamps.text(at))
                .put("userID", order.requester().userId().toString())
                .put("entries", snapshot.lastNumber())
                .put("headHash", snapshot.headHash())
                .put("manifestBytes", written.bytes())
                .put("manifestHash", written.sha256());
        files.writeSignature(sources.signingKeys().signed(ExportFormat.SIGNATURE_TYPE, statement.encode()));
    }

    private String readme() {
        return """
                Export of the case "%s"
                Case %s, as it was on %s

                %-32s the case with its participants and timetable
                %-32s names of the people and organizations
                %-32s the docket, and the same as a PDF
                %-32s what each entry says, to print (.pdf), with its receipt (.receipt.jws)
                %-32s the files that were filed
                %-32s the exhibits that %s
                %s%-32s SHA-256 and length of every file
                %-32s the platform's signature of the manifest

                Anybody can verify this archive. The platform's program does it without a connection:

                    ./acp verify-export FILE.zip --keys keys.json

                keys.json is a copy of %s/.well-known/jwks.json. The guide "Verify an export" shows how to
                verify it with other programs.
                """.formatted(order.title(), order.caseId(), Timestamps.text(at), ExportFormat.CASE, ExportFormat.PEOPLE, ExportFormat.DOCKET_INDEX,
                "docket/entries/", ExportFormat.FILES, "exhibits/", "whoever exported it may see", order.withAudit() ? "%-32s who did what%n".formatted(ExportFormat.AUDIT) : "",
                ExportFormat.MANIFEST, ExportFormat.SIGNATURE, sources.issuer());
    }
}
