package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.OpenFiling;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The filings of a case, as the main area publishes them. */
final class CaseFilingsRepository {

    private final Database database;

    CaseFilingsRepository(Database database) {
        this.database = database;
    }

    /** How many filings of each document count against the quota of that party in that phase. */
    Future<Map<DocumentTypeId, Integer>> quotaUsed(CaseId caseId, PhaseId phaseId, PartyId partyId) {
        return database.query("""
                select document_id, count(*)::int
                from mainapi_api.filings
                where case_id = $1 and phase_id = $2 and party_id = $3 and state in ('submitted', 'docketed')
                group by document_id
                """, Tuple.of(caseId.value(), phaseId.value(), partyId.value()),
                row -> Map.entry(new DocumentTypeId(row.getString(0)), row.getInteger(1)))
                .map(rows -> rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Filings on which somebody of that party may act: its own undecided ones and those that wait for its approval. */
    Future<List<OpenFiling>> openFilings(CaseId caseId, PartyId partyId, int limit) {
        return database.query("""
                select filing_id, document_id, party_id, user_id, state, approver_party
                from mainapi_api.filings
                where case_id = $1
                  and (party_id = $2 and state in ('draft', 'submitted', 'rejected')
                       or approver_party = $2 and state = 'submitted')
                order by filing_id
                limit $3
                """, Tuple.of(caseId.value(), partyId.value(), limit), row -> new OpenFiling(
                        new FilingId(row.getLong(0)), new DocumentTypeId(row.getString(1)), new PartyId(row.getString(2)),
                        new UserId(row.getUUID(3)), OpenFiling.State.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
                        Optional.ofNullable(row.getString(5)).map(PartyId::new)));
    }
}
