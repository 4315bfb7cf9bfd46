package io.arbitration.mainapi.export;

import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** What an export reads beside entries and exhibits. */
final class ExportRepository {

    private final Database database;
    private final AuditTrail audit;

    ExportRepository(Database database, AuditTrail audit) {
        this.database = database;
        this.audit = audit;
    }

    /** The case as it is now, for that caller; empty when there is none. One statement sees one moment. */
    Future<Optional<Snapshot>> snapshot(UUID caseId, UUID userId) {
        return database.query("""
                select c.revision, c.phase_id, p.party_id, coalesce(p.is_observer, false), coalesce(h.last_number, 0), coalesce(h.head_hash, $3),
                       array(select party_id from mainapi.exhibits x where x.case_id = c.case_id order by party_id),
                       array(select last_number from mainapi.exhibits x where x.case_id = c.case_id order by party_id),
                       pg_current_snapshot()::text
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join mainapi.heads h on h.case_id = c.case_id
                where c.case_id = $1
                """, Tuple.of(caseId, userId, ContentHash.FIRST_PREVIOUS_HASH), ExportRepository::snapshot)
                .map(rows -> rows.stream().findFirst());
    }

    private static Snapshot snapshot(Row row) {
        String[] parties = row.getArrayOfStrings(6);
        Integer[] numbers = row.getArrayOfIntegers(7);
        Map<String, Integer> last = new HashMap<>();
        for (int i = 0; i < parties.length; i++) {
            last.put(parties[i], numbers[i]);
        }
        return new Snapshot(row.getLong(0), row.getString(1), row.getString(2), row.getBoolean(3), row.getInteger(4), row.getString(5),
                Map.copyOf(last), row.getString(8));
    }

    /** A line of the docket's index. What is not there is null. */
    record IndexLine(
            int number, long entryId, Instant enteredAt, UUID userId, UUID organizationId, String phaseId, String documentId, String partyId,
            long filingId, String title, Long supersedes, Long supersededBy, String hash) {}

    /** Lines after a number and up to another, in order, at most so many; of what came later nothing is told. */
    Future<List<IndexLine>> index(UUID caseId, int afterNumber, int lastNumber, int limit) {
        return database.query("""
                select e.number, e.entry_id, e.entered_at, e.user_id, e.organization_id, e.phase_id, e.document_id, e.party_id, e.filing_id,
                       e.title, e.supersedes, s.entry_id, e.hash
                from mainapi.entries e left join mainapi.entries s on s.supersedes = e.entry_id and s.number <= $3
                where e.case_id = $1 and e.number > $2 and e.number <= $3
                order by e.number limit $4
                """, Tuple.of(caseId, afterNumber, lastNumber, limit), row -> new IndexLine(
                        row.getInteger(0), row.getLong(1), row.getOffsetDateTime(2).toInstant(), row.getUUID(3), row.getUUID(4), row.getString(5),
                        row.getString(6), row.getString(7), row.getLong(8), row.getString(9), row.getLong(10), row.getLong(11), row.getString(12)));
    }

    /** When the filings of these entries were submitted, by their ids. */
    Future<Map<Long, Instant>> submittedAt(List<Long> filingIds) {
        return database.query("select filing_id, submitted_at from mainapi.filings where filing_id = any($1)",
                        Tuple.of(filingIds.toArray(Long[]::new)), row -> Map.entry(row.getLong(0), row.getOffsetDateTime(1).toInstant()))
                .map(rows -> rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Who takes part in the case or has filed in it, as they show themselves to everyone. */
    Future<List<JsonObject>> people(UUID caseId, int lastNumber) {
        return database.query("""
                select u.user_id, u.first_name, u.last_name from identity_api.public_users u
                where u.user_id in (select user_id from cases_api.participants where case_id = $1
                                    union select user_id from mainapi.entries where case_id = $1 and number <= $2)
                order by u.user_id
                """, Tuple.of(caseId, lastNumber), row -> new JsonObject()
                        .put("id", row.getUUID(0).toString()).put("first_name", row.getString(1)).put("last_name", row.getString(2)));
    }

    /** The organizations that these belong to or have filed for. */
    Future<List<JsonObject>> organizations(UUID caseId, int lastNumber) {
        return database.query("""
                select o.organization_id, o.name from identity_api.public_organizations o
                where o.organization_id in (select organization_id from cases_api.participants where case_id = $1
                                            union select organization_id from mainapi.entries where case_id = $1 and number <= $2)
                order by o.organization_id
                """, Tuple.of(caseId, lastNumber), row -> new JsonObject().put("id", row.getUUID(0).toString()).put("name", row.getString(1)));
    }

    Future<List<AuditTrail.Entry>> audit(UUID caseId, long afterId, Snapshot snapshot, Instant recent, int limit) {
        return audit.inSnapshot(database, caseId, afterId, snapshot.ofDatabase(), recent, limit);
    }

    /** Leaves a line of its own in the audit trail. */
    Future<Void> leaveLine(AuditTrail.Line line) {
        return database.read(client -> audit.append(client, List.of(line)));
    }

    static JsonObject json(IndexLine line) {
        JsonObject json = new JsonObject()
                .put("number", line.number)
                .put("entryID", String.valueOf(line.entryId))
                .put("enteredAt", Timestamps.text(line.enteredAt))
                .put("userID", line.userId.toString())
                .put("organizationID", line.organizationId == null ? null : line.organizationId.toString())
                .put("phaseID", line.phaseId)
                .put("documentID", line.documentId)
                .put("partyID", line.partyId)
                .put("filingID", String.valueOf(line.filingId))
                .put("title", line.title);
        if (line.supersedes != null) {
            json.put("supersedes", line.supersedes.toString());
        }
        return json.put("supersededBy", line.supersededBy == null ? null : line.supersededBy.toString()).put("hash", line.hash);
    }
}
