package io.arbitration.ai.award;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which objects are evidence or files of filings of a case, whether a user may read them now, and the audit trail of their reading. */
public final class EvidenceRightsRepository {

    /**
     * An object that is evidence or a file of a filing, or whose upload is still under way.
     *
     * @param readable whether the user may read it now
     * @param upload empty while the upload is under way
     */
    record Evidence(String address, boolean readable, Optional<Upload> upload) {}

    /**
     * @param id of the upload, or of the file of a filing
     * @param filed whether it is a file of a filing
     */
    record Upload(UUID caseId, long id, boolean filed, Fingerprint fingerprint) {}

    private final Database database;
    private final AuditTrail audit;
    private final String[] sharedPhases;

    /** @param sharedPhases phases in which every participant sees all evidence */
    public EvidenceRightsRepository(Database database, AuditTrail audit, List<String> sharedPhases) {
        this.database = database;
        this.audit = audit;
        this.sharedPhases = sharedPhases.toArray(String[]::new);
    }

    /** The addresses at which there is evidence, each with what is known of it. */
    Future<Map<String, Evidence>> among(Collection<String> addresses, UUID readerId) {
        return database.query("""
                select o.address, o.case_id, o.upload_id as id, false as filed, o.bytes, o.sha256, o.block_hashes, exists (
                    select from mainapi_api.upload_readers r join cases_api.cases c on c.case_id = r.case_id
                    where r.upload_id = o.upload_id and r.reader_id = $2 and (r.at_any_time or c.phase_id = any($3))) as readable
                from mainapi_api.upload_objects o where o.address = any($1)
                union all
                select o.address, o.case_id, o.file_id, true, o.bytes, o.sha256, o.block_hashes, exists (
                    select from mainapi_api.file_readers r where r.file_id = o.file_id and r.reader_id = $2)
                from mainapi_api.file_objects o where o.address = any($1)
                union all
                select p.address, null, null, null, null, null, null, false
                from platform.pending_objects p
                where p.address = any($1) and not exists (select from mainapi_api.upload_objects o where o.address = p.address)
                  and not exists (select from mainapi_api.file_objects o where o.address = p.address)
                """, Tuple.of(addresses.toArray(String[]::new), readerId, sharedPhases), EvidenceRightsRepository::evidence)
                .map(all -> all.stream().collect(Collectors.toMap(Evidence::address, Function.identity())));
    }

    private static Evidence evidence(Row row) {
        return new Evidence(row.getString("address"), row.getBoolean("readable"), Optional.ofNullable(row.getLong("id")).map(id -> new Upload(
                row.getUUID("case_id"), id, row.getBoolean("filed"), new Fingerprint(row.getLong("bytes"), row.getString("sha256"), row.getBuffer("block_hashes")))));
    }

    Future<Void> recordReading(List<AuditTrail.Line> lines) {
        return database.read(client -> audit.append(client, lines));
    }
}
