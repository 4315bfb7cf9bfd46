package io.arbitration.ai.analyses;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What an analysis is about, read as it stands when it runs. */
final class SubjectRepository {

    /** Entries and exhibits that one analysis is given at most. */
    static final int PARTS_MAX = 1000;

    private final Database database;
    private final String[] sharedPhases;

    /** @param sharedPhases phases in which every participant sees all evidence */
    SubjectRepository(Database database, List<String> sharedPhases) {
        this.database = database;
        this.sharedPhases = sharedPhases.toArray(String[]::new);
    }

    /**
     * A filing in its case.
     *
     * @param evidenceShared whether everyone who may read the analysis may also see all evidence
     * @param newerDraft whether a later draft of it has an analysis of its own
     */
    record Subject(
            String documentId, String partyId, String state, String title, String fields, String caseTitle, String ruleSet, String phaseId,
            boolean evidenceShared, boolean newerDraft) {}

    Future<Optional<Subject>> subject(DueAnalysis analysis) {
        return database.query("""
                select f.document_id, f.party_id, f.state, f.title, f.fields, c.title as case_title, c.rule_set, c.phase_id, c.phase_id = any($2),
                       exists (select from ai.analyses a join ai.analyses n on n.prompt_id = a.prompt_id and n.filing_id = a.filing_id
                               where a.analysis_id = $3 and n.ran_on = 'draft' and n.revision > a.revision)
                from mainapi_api.filing_contents f join cases_api.cases c on c.case_id = f.case_id
                where f.filing_id = $1
                """, Tuple.of(analysis.filingId(), sharedPhases, analysis.lease().key()), row -> new Subject(
                        row.getString(0), row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5),
                        row.getString(6), row.getString(7), row.getBoolean(8), row.getBoolean(9)))
                .map(Database::first);
    }

    record Entry(int number, String documentId, String partyId, String title, String fields) {}

    /** The docket of the filing's case without the filing itself. One entry more than are used shows that there are too many. */
    Future<List<Entry>> docket(UUID caseId, long exceptFilingId) {
        return database.query("""
                select number, document_id, party_id, title, fields from mainapi_api.entry_contents
                where case_id = $1 and filing_id <> $2 order by number limit $3
                """, Tuple.of(caseId, exceptFilingId, PARTS_MAX + 1), row -> new Entry(
                        row.getInteger(0), row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
    }

    /** A file of a filing. */
    record File(String title, String contentType, String address, Fingerprint fingerprint) {}

    /** The files of a filing, in their order. */
    Future<List<File>> files(long filingId) {
        return database.query("""
                select title, content_type, address, bytes, sha256, block_hashes from mainapi_api.file_objects
                where filing_id = $1 order by position
                """, Tuple.of(filingId), row -> new File(row.getString(0), row.getString(1), row.getString(2),
                        new Fingerprint(row.getLong(3), row.getString(4), row.getBuffer(5))));
    }

    record Exhibit(String partyId, int number, String description, String contentType, String address, Fingerprint fingerprint) {}

    Future<List<Exhibit>> evidence(UUID caseId) {
        return database.query("""
                select party_id, exhibit, description, content_type, address, bytes, sha256, block_hashes
                from mainapi_api.upload_objects where case_id = $1 order by upload_id limit $2
                """, Tuple.of(caseId, PARTS_MAX + 1), row -> new Exhibit(row.getString(0), row.getInteger(1), row.getString(2), row.getString(3),
                        row.getString(4), new Fingerprint(row.getLong(5), row.getString(6), row.getBuffer(7))));
    }
}
