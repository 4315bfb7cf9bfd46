package io.arbitration.mainapi;

import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What must hold between the filings, the docket, the events and the audit trail of a case at any moment, whatever happened
 * to it. Read straight from the database, in one snapshot.
 */
public final class DocketInvariants {

    /** A step that the state machine has; what the audit trail tells must be made of these. */
    private static final Map<String, Map<String, String>> STEPS = Map.of(
            "filing.created", Map.of("none", "draft"),
            "filing.updated", Map.of("draft", "draft", "rejected", "draft"),
            "filing.submitted", Map.of("draft", "submitted", "rejected", "submitted"),
            "filing.submitted-and-docketed", Map.of("draft", "docketed", "rejected", "docketed"),
            "filing.withdrawn", Map.of("draft", "withdrawn", "submitted", "withdrawn", "rejected", "withdrawn"),
            "filing.approved", Map.of("submitted", "docketed"),
            "filing.rejected", Map.of("submitted", "rejected"));

    private record StoredFiling(
            long id, String documentId, String phaseId, String partyId, String userId, String state, long revision, Long entryId,
            String approverParty, String decidedBy) {}

    private record StoredEntry(long id, int number, long filingId, String enteredAt, String previousHash, String hash, Long supersedes) {}

    private record Line(String userId, String party, String action, String subject) {}

    private final Connection sql;
    private final UUID caseId;
    private final Map<String, Integer> allowedPerPhase;
    private final List<String> violations = new ArrayList<>();

    private DocketInvariants(Connection sql, UUID caseId, Map<String, Integer> allowedPerPhase) {
        this.sql = sql;
        this.caseId = caseId;
        this.allowedPerPhase = allowedPerPhase;
    }

    /**
     * What is wrong with a case, a sentence each; empty when nothing is.
     *
     * @param allowedPerPhase how often a party may file a document in a phase, by documentID
     */
    public static List<String> violations(Connection sql, String caseId, Map<String, Integer> allowedPerPhase) throws SQLException {
        DocketInvariants invariants = new DocketInvariants(sql, UUID.fromString(caseId), allowedPerPhase);
        sql.setAutoCommit(false);
        sql.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try {
            invariants.check();
        } finally {
            sql.rollback();
        }
        return invariants.violations;
    }

    private void check() throws SQLException {
        Map<Long, StoredFiling> filings = filings();
        List<StoredEntry> entries = entries();
        List<Line> lines = lines();
        checkChain(entries);
        checkEntriesAreTheDocketedFilings(filings, entries);
        checkEvents(entries, lines);
        checkTrail(filings, lines);
        checkQuotas(filings);
    }

    private void checkChain(List<StoredEntry> entries) throws SQLException {
        String hash = "0".repeat(64);
        int number = 0;
        String enteredAt = "";
        List<Long> superseded = new ArrayList<>();
        for (StoredEntry entry : entries) {
            require(entry.number == ++number, "entry %d has number %d, not %d", entry.id, entry.number, number);
            require(entry.previousHash.equals(hash), "entry %d does not follow from the one before", entry.id);
            require(entry.enteredAt.compareTo(enteredAt) >= 0, "entry %d was entered before the one before", entry.id);
            require(entry.supersedes == null || !superseded.contains(entry.supersedes), "entry %d is superseded twice", entry.supersedes);
            superseded.add(entry.supersedes);
            hash = entry.hash;
            enteredAt = entry.enteredAt;
        }
        String head = hash;
        int last = number;
        boolean found = !read("select last_number, head_hash from mainapi.heads where case_id = ?", row -> {
            require(row.getInt(1) == last, "the head says %d entries, there are %d", row.getInt(1), last);
            require(row.getString(2).equals(head), "the head's hash is not the last entry's");
            return true;
        }).isEmpty();
        require(found || entries.isEmpty(), "a docket without a head");
    }

    private void checkEntriesAreTheDocketedFilings(Map<Long, StoredFiling> filings, List<StoredEntry> entries) {
        Map<Long, Long> entryOfFiling = new HashMap<>();
        for (StoredEntry entry : entries) {
            require(entryOfFiling.put(entry.filingId, entry.id) == null, "filing %d is docketed twice", entry.filingId);
        }
        for (StoredFiling filing : filings.values()) {
            require(filing.state.equals("docketed") == (filing.entryId != null), "filing %d is %s with entry %s", filing.id, filing.state, filing.entryId);
            require(Objects.equals(filing.entryId, entryOfFiling.remove(filing.id)), "filing %d and its entry do not agree", filing.id);
        }
        require(entryOfFiling.isEmpty(), "entries without a filing: %s", entryOfFiling);
    }

    private void checkEvents(List<StoredEntry> entries, List<Line> lines) throws SQLException {
        Map<String, Integer> kinds = new HashMap<>();
        Map<String, JsonObject> docketed = new HashMap<>();
        List<String> order = new ArrayList<>();
        read("select event, envelope from platform.events where case_id = ? order by sequence", row -> {
            String kind = row.getString(1);
            kinds.merge(kind, 1, Integer::sum);
            if (kind.equals("docket_filing")) {
                JsonObject data = new JsonObject(row.getString(2)).getJsonObject("data");
                order.add(data.getString("entryID"));
                require(docketed.put(data.getString("entryID"), data) == null, "two docket_filing events of entry %s", data.getString("entryID"));
            }
            return true;
        });
        require(order.equals(entries.stream().map(entry -> String.valueOf(entry.id)).toList()), "docket_filing events %s are not the entries in their order", order);
        for (StoredEntry entry : entries) {
            JsonObject data = docketed.get(String.valueOf(entry.id));
            require(data != null && data.getString("filingID").equals(String.valueOf(entry.filingId))
                    && data.getString("enteredAt").equals(entry.enteredAt), "the event of entry %d says something else: %s", entry.id, data);
        }
        require(kinds.getOrDefault("filing_submitted", 0) == count(lines, "filing.submitted"), "filing_submitted events and submissions differ");
        require(kinds.getOrDefault("filing_rejected", 0) == count(lines, "filing.rejected"), "filing_rejected events and rejections differ");
        require(kinds.getOrDefault("filing_withdrawn", 0) <= count(lines, "filing.withdrawn"), "more filing_withdrawn events than withdrawals");
    }

    private static int count(List<Line> lines, String action) {
        return (int) lines.stream().filter(line -> line.action.equals(action)).count();
    }

    /** Plays the audit trail through the state machine: every write left one line, and together they lead where the filing stands. */
    private void checkTrail(Map<Long, StoredFiling> filings, List<Line> lines) {
        Map<Long, String> states = new HashMap<>();
        Map<Long, Long> writes = new HashMap<>();
        for (Line line : lines) {
            long id = Long.parseLong(line.subject);
            StoredFiling filing = filings.get(id);
            require(filing != null, "a line %s of filing %d, which is not there", line.action, id);
            String before = states.getOrDefault(id, "none");
            String after = STEPS.getOrDefault(line.action, Map.of()).get(before);
            require(after != null, "filing %d: %s while it was %s", id, line.action, before);
            states.put(id, after == null ? before : after);
            writes.merge(id, 1L, Long::sum);
            if (filing != null && (line.action.equals("filing.approved") || line.action.equals("filing.rejected"))) {
                require(!line.userId.equals(filing.userId), "filing %d was decided on by its filer", id);
                require(filing.approverParty == null || filing.approverParty.equals(line.party), "filing %d was decided on by %s", id, line.party);
            } else if (filing != null) {
                require(filing.partyId.equals(line.party), "filing %d: %s by %s", id, line.action, line.party);
            }
        }
        for (StoredFiling filing : filings.values()) {
            require(filing.state.equals(states.get(filing.id)), "filing %d is %s, its audit trail leads to %s", filing.id, filing.state, states.get(filing.id));
            require(filing.revision == writes.getOrDefault(filing.id, 0L), "filing %d has revision %d and %d audit lines", filing.id, filing.revision, writes.get(filing.id));
            require(!filing.userId.equals(filing.decidedBy), "filing %d was decided on by its filer", filing.id);
        }
    }

    private void checkQuotas(Map<Long, StoredFiling> filings) {
        Map<List<String>, Integer> used = new HashMap<>();
        filings.values().stream().filter(filing -> filing.state.equals("submitted") || filing.state.equals("docketed"))
                .forEach(filing -> used.merge(List.of(filing.phaseId, filing.partyId, filing.documentId), 1, Integer::sum));
        used.forEach((key, count) -> require(count <= allowedPerPhase.getOrDefault(key.getLast(), 0), "%s was filed %d times", key, count));
    }

    private Map<Long, StoredFiling> filings() throws SQLException {
        Map<Long, StoredFiling> all = new HashMap<>();
        read("""
                select filing_id, document_id, phase_id, party_id, user_id, state, revision, entry_id, approver_party, decided_by
                from mainapi.filings where case_id = ?
                """, row -> all.put(row.getLong(1), new StoredFiling(row.getLong(1), row.getString(2), row.getString(3), row.getString(4),
                        row.getString(5), row.getString(6), row.getLong(7), row.getObject(8, Long.class), row.getString(9), row.getString(10))));
        return all;
    }

    private List<StoredEntry> entries() throws SQLException {
        return read("""
                select entry_id, number, filing_id, to_char(entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                       previous_hash, hash, supersedes
                from mainapi.entries where case_id = ? order by number
                """, row -> new StoredEntry(row.getLong(1), row.getInt(2), row.getLong(3), row.getString(4), row.getString(5),
                        row.getString(6), row.getObject(7, Long.class)));
    }

    private List<Line> lines() throws SQLException {
        return read("""
                select a.user_id, p.party_id, a.action, a.subject
                from platform.audit a left join cases.participants p on p.case_id = a.case_id and p.user_id = a.user_id
                where a.case_id = ? and a.action like 'filing.%' order by a.audit_id
                """, row -> new Line(row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> read(String query, Reader<T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        try (PreparedStatement statement = sql.prepareStatement(query)) {
            statement.setObject(1, caseId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(reader.read(rows));
                }
            }
        }
        return all;
    }

    private void require(boolean holds, String violation, Object... values) {
        if (!holds) {
            violations.add("case %s: %s".formatted(caseId, violation.formatted(values)));
        }
    }
}
