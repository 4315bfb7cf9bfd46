package io.arbitration.mainapi.files;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.UploadedBytes;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** How many bytes of files a case holds and a user has uploaded, exhibits and files of filings together. */
public final class StoredBytesRepository {

    /** Within the transaction that has added a file no other can add one to these, until the transaction ends. */
    public Future<UploadedBytes> uploadedBytes(SqlClient client, CaseId caseId, UserId userId) {
        return query(client, """
                select coalesce((select bytes from mainapi.case_evidence_bytes where case_id = $1), 0),
                       coalesce((select bytes from mainapi.user_evidence_bytes where user_id = $2), 0)
                """, Tuple.of(caseId.value(), userId.value()), row -> new UploadedBytes(row.getLong(0), row.getLong(1)))
                .map(List::getFirst);
    }
}
