package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The docket entries that start deadlines of their cases, as the main area publishes them. */
public final class TriggeringEntryRepository {

    /** The entries from which deadlines are counted now: the newest of each document type, and those with an extended deadline. */
    Future<Map<CaseId, List<TriggeringEntry>>> current(SqlClient client, Collection<CaseId> caseIds, List<DocumentTypeId> documentTypesThatStartDeadlines) {
        return find(client, "mainapi_api.triggering_entries($1, $2)", caseIds, documentTypesThatStartDeadlines);
    }

    /** Every entry of these document types. */
    public Future<Map<CaseId, List<TriggeringEntry>>> all(SqlClient client, Collection<CaseId> caseIds, List<DocumentTypeId> documentTypesThatStartDeadlines) {
        return find(client, "mainapi_api.docketed_documents where case_id = any($1) and document_id = any($2)", caseIds, documentTypesThatStartDeadlines);
    }

    private static Future<Map<CaseId, List<TriggeringEntry>>> find(SqlClient client, String entries, Collection<CaseId> caseIds, List<DocumentTypeId> documentTypes) {
        return Database.query(client, "select case_id, entry_id, document_id, entered_at from " + entries,
                        Tuple.tuple().addArrayOfUUID(caseIds.stream().map(CaseId::value).toArray(UUID[]::new))
                                .addArrayOfString(documentTypes.stream().map(DocumentTypeId::value).toArray(String[]::new)),
                        row -> Map.entry(new CaseId(row.getUUID("case_id")), new TriggeringEntry(new EntryId(row.getLong("entry_id")),
                                new DocumentTypeId(row.getString("document_id")), row.getOffsetDateTime("entered_at").toInstant())))
                .map(rows -> rows.stream().collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList()))));
    }
}
