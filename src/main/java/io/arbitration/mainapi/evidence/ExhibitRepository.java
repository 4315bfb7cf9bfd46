package io.arbitration.mainapi.evidence;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Exhibits in the order of their numbers. */
final class ExhibitRepository {

    private final Database database;
    private final AuditTrail audit;

    ExhibitRepository(Database database, AuditTrail audit) {
        this.database = database;
        this.audit = audit;
    }

    /** @param proved whether to read what proves the files, which is long for long files */
    Future<List<Exhibits.Exhibit>> after(UUID caseId, Map<String, Integer> lastByParty, String partyId, int exhibit, boolean proved, int limit) {
        List<String> parties = List.copyOf(lastByParty.keySet());
        return database.query("""
                select u.upload_id, u.case_id, u.party_id, u.exhibit, u.user_id, u.organization_id, u.phase_id, u.category_id,
                       u.description, u.content_type, u.file_name, u.bytes, u.sha256, u.address, u.created,
                       case when $6 then u.block_hashes end as block_hashes
                from mainapi.uploads u
                join unnest($2::text[], $3::int[]) as l (party_id, last_number) on l.party_id = u.party_id and u.exhibit <= l.last_number
                where u.case_id = $1 and (u.party_id, u.exhibit) > ($4::text, $5::int)
                order by u.party_id, u.exhibit limit $7
                """, Tuple.of(caseId, parties.toArray(String[]::new), parties.stream().map(lastByParty::get).toArray(Integer[]::new),
                        partyId, exhibit, proved).addInteger(limit), ExhibitRepository::exhibit);
    }

    private static Exhibits.Exhibit exhibit(Row row) {
        Upload upload = new Upload(row.getLong("upload_id"), row.getUUID("case_id"), row.getString("party_id"), row.getInteger("exhibit"),
                row.getUUID("user_id"), row.getUUID("organization_id"), row.getString("phase_id"), row.getString("category_id"),
                row.getString("description"), row.getString("content_type"), row.getString("file_name"), row.getLong("bytes"),
                row.getString("sha256"), ObjectAddress.parse(row.getString("address")).orElseThrow(),
                row.getOffsetDateTime("created").toInstant());
        return new Exhibits.Exhibit(upload, row.getBuffer("block_hashes") == null
                ? null : new Fingerprint(upload.bytes(), upload.sha256(), row.getBuffer("block_hashes")));
    }

    Future<Void> leaveLine(AuditTrail.Line line) {
        return database.read(client -> audit.append(client, List.of(line)));
    }
}
