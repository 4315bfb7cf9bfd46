package io.arbitration.mainapi.files;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.UploadedBytes;
import io.arbitration.domain.evidence.UploadedTotals;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The bytes of files in a case, of a party in it and of a user, exhibits and files of filings together. */
public final class StoredBytesRepository {

    /**
     * The bytes of a case, of the party for which the user takes part in it, and of the user. In the transaction that has added a file, no
     * other transaction can add one to the same case or user until it ends.
     */
    public Future<UploadedBytes> uploadedBytes(SqlClient client, CaseId caseId, UserId userId) {
        return query(client, """
                select coalesce((select bytes from mainapi.case_evidence_bytes where case_id = $1), 0),
                       coalesce((select b.bytes from mainapi.party_evidence_bytes b
                                 join cases_api.participants p on p.case_id = b.case_id and p.party_id = b.party_id
                                 where p.case_id = $1 and p.user_id = $2), 0),
                       coalesce((select bytes from mainapi.user_evidence_bytes where user_id = $2), 0)
                """, Tuple.of(caseId.value(), userId.value()), row -> new UploadedBytes(row.getLong(0), row.getLong(1), row.getLong(2)))
                .map(List::getFirst);
    }

    /** The bytes of a case alone. */
    public Future<Long> bytesOfCase(SqlClient client, CaseId caseId) {
        return query(client, "select coalesce((select bytes from mainapi.case_evidence_bytes where case_id = $1), 0)", Tuple.of(caseId.value()),
                row -> row.getLong(0)).map(List::getFirst);
    }

    /** The bytes that a participant of an open case has uploaded; empty for a user who is a participant of none. */
    Future<Optional<Long>> uploadedByParticipant(SqlClient client, UserId userId) {
        return query(client, """
                select coalesce((select bytes from mainapi.user_evidence_bytes where user_id = $1), 0)
                where exists (select from cases_api.participants p join cases_api.cases c on c.case_id = p.case_id where p.user_id = $1 and c.status = 'open')
                """, Tuple.of(userId.value()), row -> row.getLong(0)).map(Database::first);
    }

    /**
     * The bytes of these cases, their parties and these users. Until the transaction ends, no other adds a file to one of them or
     * removes one. The exception is the first file of a case, a party or a user, for which there is no counter row yet that could be
     * locked. Like the counting triggers, it locks first the cases, then the parties and then the users, and each kind in the order of
     * its IDs, so that two transactions never deadlock.
     *
     * @param removed files whose uploaders are locked as well
     */
    public Future<UploadedTotals> lockedTotals(SqlClient transaction, Collection<CaseId> caseIds, Collection<UserId> userIds, Collection<FileId> removed) {
        // Sent without waiting; they are executed in this order.
        Future<List<Map.Entry<CaseId, Long>>> ofCases = query(transaction, """
                select case_id, bytes from mainapi.case_evidence_bytes where case_id = any ($1) order by case_id for update
                """, Tuple.tuple().addArrayOfUUID(caseIds.stream().map(CaseId::value).toArray(UUID[]::new)), row -> Map.entry(new CaseId(row.getUUID(0)), row.getLong(1)));
        Future<List<Map.Entry<UploadedTotals.Side, Long>>> ofParties = query(transaction, """
                select case_id, party_id, bytes from mainapi.party_evidence_bytes where case_id = any ($1) order by case_id, party_id for update
                """, Tuple.tuple().addArrayOfUUID(caseIds.stream().map(CaseId::value).toArray(UUID[]::new)),
                row -> Map.entry(new UploadedTotals.Side(new CaseId(row.getUUID(0)), new PartyId(row.getString(1))), row.getLong(2)));
        Future<List<Map.Entry<UserId, Long>>> ofUsers = query(transaction, """
                select user_id, bytes from mainapi.user_evidence_bytes
                where user_id = any ($1) or user_id in (select f.user_id from mainapi.files f where f.file_id = any ($2))
                order by user_id for update
                """, Tuple.tuple().addArrayOfUUID(userIds.stream().map(UserId::value).toArray(UUID[]::new))
                        .addArrayOfLong(removed.stream().map(FileId::value).toArray(Long[]::new)),
                row -> Map.entry(new UserId(row.getUUID(0)), row.getLong(1)));
        return Future.all(ofCases, ofParties, ofUsers)
                .map(read -> new UploadedTotals(byKey(ofCases.result()), byKey(ofParties.result()), byKey(ofUsers.result())));
    }

    private static <K> Map<K, Long> byKey(List<Map.Entry<K, Long>> counted) {
        return counted.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
