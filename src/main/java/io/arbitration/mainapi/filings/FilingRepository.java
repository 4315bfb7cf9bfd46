package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Filings in the database, and the one transaction that changes them. */
final class FilingRepository {

    private static final String FILING_COLUMNS = """
            f.filing_id, f.case_id, f.document_id, f.phase_id, f.party_id, f.user_id, f.organization_id, f.state, f.title,
            f.fields, f.supersedes, f.parent_entry_id, f.revision, f.created, f.updated, f.submitted_at, f.approver_party,
            f.decided_at, f.decided_by, f.reason, f.entry_id, f.late
            """;

    private final Database database;
    private final EventLog events;
    private final AuditTrail audit;
    private final DocketRepository docket;
    private final FilingRules rules;

    FilingRepository(Database database, EventLog events, AuditTrail audit, DocketRepository docket, FilingRules rules) {
        this.database = database;
        this.events = events;
        this.audit = audit;
        this.docket = docket;
        this.rules = rules;
    }

    /** Decides a batch under the locks of its cases and writes what was decided: all of it or, on failure, nothing. */
    Future<List<DecisionLanes.Outcome>> decide(List<DecisionLanes.Asked> asked) {
        List<FilingCommand> commands = asked.stream().map(DecisionLanes.Asked::command).toList();
        // The context is that of one of the requests, or of one before.
        return database.unmarked(transaction -> {
            CaseBoard board = new CaseBoard();
            return lockAndRead(transaction, commands, board)
                    .compose(freshIds -> Future.all(readQuotas(transaction, commands, board),
                                    readReferences(transaction, commands, board), readDates(transaction, board))
                            .map(freshIds))
                    .compose(freshIds -> {
                        List<FilingDecision> decisions = new ArrayList<>();
                        List<DecisionLanes.Outcome> outcomes = new ArrayList<>();
                        for (int i = 0; i < commands.size(); i++) {
                            outcomes.add(outcome(board, commands.get(i), freshIds.get(i), decisions));
                        }
                        return write(transaction, decisions, board)
                                .compose(written -> RequestKey.mark(transaction, keysOfDecided(asked, outcomes))).map(outcomes);
                    });
        });
    }

    private static List<RequestKey> keysOfDecided(List<DecisionLanes.Asked> asked, List<DecisionLanes.Outcome> outcomes) {
        return IntStream.range(0, asked.size()).filter(i -> outcomes.get(i) instanceof DecisionLanes.Outcome.Decided)
                .mapToObj(i -> asked.get(i).key()).flatMap(Optional::stream).toList();
    }

    private DecisionLanes.Outcome outcome(
            CaseBoard board, FilingCommand command, long freshId, List<FilingDecision> decisions) {
        try {
            FilingDecision decision = rules.decide(board, command, freshId).in(command.by().trace());
            decisions.add(decision);
            return new DecisionLanes.Outcome.Decided(decision.filing());
        } catch (Refusal refused) {
            return new DecisionLanes.Outcome.Refused(refused);
        }
    }

    /**
     * Takes the turn of the cases, then locks them in the order of their ids, so that two batches can't wait for each other. The
     * shared lock on the case keeps it from changing phase or closing meanwhile. What is read is sent behind the lock without waiting for it: its
     * statement begins when the lock is held, and sees what is true then.
     */
    private Future<List<Long>> lockAndRead(SqlConnection transaction, List<FilingCommand> commands, CaseBoard board) {
        UUID[] caseIds = commands.stream().map(FilingCommand::caseId).distinct().toArray(UUID[]::new);
        Future<Void> turn = events.lockCases(transaction, caseIds);
        Future<Integer> locked = lockHeads(transaction, caseIds, board);
        Future<List<Long>> freshIds = readCommands(transaction, commands, board);
        return turn.compose(taken -> locked).compose(heads -> heads == caseIds.length
                ? freshIds
                : makeHeads(transaction, caseIds)
                        .compose(made -> lockHeads(transaction, caseIds, board))
                        .compose(again -> readCommands(transaction, commands, board)));
    }

    private Future<Integer> lockHeads(SqlConnection transaction, UUID[] caseIds, CaseBoard board) {
        return query(transaction, """
                select h.case_id, h.last_number, h.head_hash, c.rule_set, c.phase_id, c.status, h.entered_at
                from mainapi.heads h join cases_api.cases c on c.case_id = h.case_id
                where h.case_id = any($1)
                order by h.case_id
                for no key update of h for share of c
                """, Tuple.of(caseIds), row -> {
                    UUID caseId = row.getUUID(0);
                    board.heads.put(caseId, new CaseBoard.Head(row.getInteger(1), row.getString(2),
                            row.getOffsetDateTime(6) == null ? Instant.EPOCH : row.getOffsetDateTime(6).toInstant()));
                    board.cases.put(caseId, new CaseBoard.CaseFacts(caseId, row.getString(3), row.getString(4), "open".equals(row.getString(5))));
                    return caseId;
                }).map(List::size);
    }

    /** Where another node makes the same head at once, this waits for it: the head is there afterwards, whoever made it. */
    private Future<Void> makeHeads(SqlConnection transaction, UUID[] caseIds) {
        return transaction.preparedQuery("""
                insert into mainapi.heads (case_id)
                select case_id from cases_api.cases where case_id = any($1) order by case_id
                on conflict do nothing
                """).execute(Tuple.of(caseIds)).mapEmpty();
    }

    /** The caller's part, the filing and a fresh id, for each command. */
    private Future<List<Long>> readCommands(SqlConnection transaction, List<FilingCommand> commands, CaseBoard board) {
        return query(transaction, """
                select k.case_id, p.user_id as part_user, p.organization_id as part_organization, p.party_id as part_party,
                       p.is_observer,
                       case when k.creates then nextval('mainapi.filing_id') else nextval('mainapi.entry_id') end as fresh_id,
                """ + FILING_COLUMNS + """
                from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::boolean[]) with ordinality
                       as k (case_id, user_id, filing_id, creates, n)
                left join cases_api.participants p on p.case_id = k.case_id and p.user_id = k.user_id
                left join mainapi.filings f on f.filing_id = k.filing_id and f.case_id = k.case_id
                order by k.n
                """,
                Tuple.of(
                        commands.stream().map(FilingCommand::caseId).toArray(UUID[]::new),
                        commands.stream().map(command -> command.by().userId()).toArray(UUID[]::new),
                        commands.stream().map(FilingCommand::filingId).toArray(Long[]::new),
                        commands.stream().map(FilingCommand.Create.class::isInstance).toArray(Boolean[]::new)),
                row -> {
                    putOnBoard(row, board);
                    return row.getLong("fresh_id");
                });
    }

    private static void putOnBoard(Row row, CaseBoard board) {
        UUID partUser = row.getUUID("part_user");
        if (partUser != null) {
            board.addPart(row.getUUID("case_id"), new Part(partUser, row.getUUID("part_organization"),
                    row.getString("part_party"), row.getBoolean("is_observer")));
        }
        if (row.getLong("filing_id") != null) {
            Filing filing = filing(row);
            board.filings.put(filing.filingId(), filing);
        }
    }

    /** Submissions alone count against a quota; those of a batch that share one have it counted once. */
    private Future<Void> readQuotas(SqlConnection transaction, List<FilingCommand> commands, CaseBoard board) {
        List<CaseBoard.QuotaKey> quotas = commands.stream()
                .filter(FilingCommand.Submit.class::isInstance)
                .map(command -> board.filings.get(command.filingId()))
                .filter(Objects::nonNull)
                .map(filing -> FilingRules.quotaKey(board.cases.get(filing.caseId()), filing))
                .distinct()
                .toList();
        return quotas.isEmpty() ? Future.succeededFuture() : readQuotas((SqlClient) transaction, quotas, board);
    }

    private static Future<Void> readQuotas(SqlClient client, List<CaseBoard.QuotaKey> quotas, CaseBoard board) {
        return query(client, """
                select (select count(*) from mainapi.filings f
                        where f.case_id = q.case_id and f.phase_id = q.phase_id and f.party_id = q.party_id
                          and f.document_id = q.document_id and f.state in ('submitted', 'docketed'))
                from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
                       as q (case_id, phase_id, party_id, document_id, n)
                order by q.n
                """, new Columns<>(quotas)
                        .ids(CaseBoard.QuotaKey::caseId).texts(CaseBoard.QuotaKey::phaseId).texts(CaseBoard.QuotaKey::partyId)
                        .texts(CaseBoard.QuotaKey::documentId).tuple(), row -> row.getInteger(0))
                .map(used -> {
                    for (int i = 0; i < quotas.size(); i++) {
                        board.setUsed(quotas.get(i), used.get(i));
                    }
                    return null;
                });
    }

    private Future<Void> readReferences(SqlConnection transaction, List<FilingCommand> commands, CaseBoard board) {
        Long[] entryIds = Stream.concat(
                        board.filings.values().stream().flatMap(filing -> Stream.of(filing.supersedes(), filing.parentEntryId())),
                        commands.stream().flatMap(FilingRepository::references))
                .filter(Objects::nonNull)
                .distinct()
                .toArray(Long[]::new);
        return entryIds.length == 0 ? Future.succeededFuture()
                : docket.references(transaction, entryIds).onSuccess(board.references::putAll).mapEmpty();
    }

    private Future<Void> readDates(SqlConnection transaction, CaseBoard board) {
        UUID[] caseIds = board.filings.values().stream()
                .filter(filing -> rules.hasDeadline(board.cases.get(filing.caseId()), filing))
                .map(Filing::caseId)
                .distinct()
                .toArray(UUID[]::new);
        return caseIds.length == 0 ? Future.succeededFuture() : readDates(transaction, caseIds, board);
    }

    private Future<Void> readDates(SqlClient client, UUID[] caseIds, CaseBoard board) {
        return query(client, """
                select 'start', case_id, phase_id, started_at, 0 from cases_api.phase_starts where case_id = any($1)
                union all
                select 'docketed', c.case_id, t.document_id, newest.entered_at, 0
                from unnest($1::uuid[]) as c (case_id) cross join unnest($2::text[]) as t (document_id)
                cross join lateral (
                  select entered_at from mainapi.entries e where e.case_id = c.case_id and e.document_id = t.document_id
                  order by number desc limit 1) newest
                union all
                select 'created', case_id, '', created, response_deadline_days from cases_api.cases where case_id = any($1)
                """, Tuple.tuple().addArrayOfUUID(caseIds).addArrayOfString(rules.triggerDocuments()), row -> new DatedFact(row.getString(0), row.getUUID(1), row.getString(2),
                        row.getOffsetDateTime(3).toInstant(), row.getInteger(4)))
                .map(facts -> {
                    facts.stream().filter(fact -> fact.kind.equals("created")).forEach(created -> board.dates.put(created.caseId,
                            new CaseDates(created.days, created.at, dates(facts, "start", created.caseId, PhaseId::new), dates(facts, "docketed", created.caseId, DocumentTypeId::new))));
                    return null;
                });
    }

    /** A date of a case: the start of a phase, the newest docketing of a document type, or the case's creation. */
    private record DatedFact(String kind, UUID caseId, String of, Instant at, int days) {}

    private static <K> Map<K, Instant> dates(List<DatedFact> facts, String kind, UUID caseId, Function<String, K> id) {
        return facts.stream()
                .filter(fact -> fact.kind.equals(kind) && fact.caseId.equals(caseId))
                .collect(Collectors.toMap(fact -> id.apply(fact.of), DatedFact::at));
    }

    private static Stream<Long> references(FilingCommand command) {
        return switch (command) {
            case FilingCommand.Create create -> Stream.of(create.content().supersedes(), create.content().parentEntryId());
            case FilingCommand.Update update -> Stream.concat(
                    update.supersedes().stream().boxed(), update.parentEntryId().stream().boxed());
            case FilingCommand.Submit submit -> Stream.empty();
            case FilingCommand.Withdraw withdraw -> Stream.empty();
            case FilingCommand.Approve approve -> Stream.empty();
            case FilingCommand.Reject reject -> Stream.empty();
        };
    }

    private Future<Void> write(SqlConnection transaction, List<FilingDecision> decisions, CaseBoard board) {
        if (decisions.isEmpty()) {
            return Future.succeededFuture();
        }
        // A filing decided twice in the batch is written once, as the later decision left it.
        List<Filing> filings = decisions.stream().map(decision -> decision.filing().filingId()).distinct().map(board.filings::get).toList();
        List<DocketEntry> entries = decisions.stream().map(FilingDecision::entry).filter(Objects::nonNull).toList();
        // Sent one behind the other, run in this order; the first to fail is what the batch fails with.
        return Future.all(
                        writeFilings(transaction, filings),
                        docket.append(transaction, entries),
                        audit.append(transaction, decisions.stream().map(FilingDecision::line).toList()),
                        events.append(transaction, decisions.stream().flatMap(decision -> decision.events().stream()).toList()))
                .mapEmpty();
    }

    private Future<Void> writeFilings(SqlConnection transaction, List<Filing> filings) {
        return transaction.preparedQuery("""
                insert into mainapi.filings
                select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[],
                  $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::timestamptz[],
                  $15::timestamptz[], $16::timestamptz[], $17::text[], $18::timestamptz[], $19::uuid[], $20::text[], $21::bigint[],
                  $22::boolean[])
                on conflict (filing_id) do update set
                  phase_id = excluded.phase_id, state = excluded.state, title = excluded.title, fields = excluded.fields,
                  supersedes = excluded.supersedes, parent_entry_id = excluded.parent_entry_id, revision = excluded.revision,
                  updated = excluded.updated, submitted_at = excluded.submitted_at, approver_party = excluded.approver_party,
                  decided_at = excluded.decided_at, decided_by = excluded.decided_by, reason = excluded.reason,
                  entry_id = excluded.entry_id, late = excluded.late
                """).execute(new Columns<>(filings)
                        .numbers(Filing::filingId).ids(Filing::caseId).texts(Filing::documentId).texts(Filing::phaseId)
                        .texts(Filing::partyId).ids(Filing::userId).ids(Filing::organizationId)
                        .texts(filing -> filing.state().wireName()).texts(Filing::title).texts(filing -> filing.fields().encode())
                        .numbers(Filing::supersedes).numbers(Filing::parentEntryId).numbers(Filing::revision)
                        .times(Filing::created).times(Filing::updated).times(Filing::submittedAt).texts(Filing::approverParty)
                        .times(Filing::decidedAt).ids(Filing::decidedBy).texts(Filing::reason).numbers(Filing::entryId)
                        .flags(Filing::late)
                        .tuple())
                .mapEmpty();
    }

    /** A case as its caller sees it: empty when there is no such case; no part when the caller has none. */
    record Seen(CaseBoard.CaseFacts facts, Optional<Part> part) {}

    Future<Optional<Seen>> seen(UUID caseId, UUID userId) {
        return database.query("""
                select c.rule_set, c.phase_id, c.status, p.user_id, p.organization_id, p.party_id, p.is_observer
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """, Tuple.of(caseId, userId), row -> new Seen(
                        new CaseBoard.CaseFacts(caseId, row.getString(0), row.getString(1), "open".equals(row.getString(2))),
                        row.getUUID(3) == null ? Optional.empty()
                                : Optional.of(new Part(row.getUUID(3), row.getUUID(4), row.getString(5), row.getBoolean(6)))))
                .map(rows -> rows.stream().findFirst());
    }

    Future<Optional<Filing>> find(UUID caseId, long filingId) {
        return database.query("select " + FILING_COLUMNS + """
                from mainapi.filings f where f.filing_id = $1 and f.case_id = $2
                """, Tuple.of(filingId, caseId), FilingRepository::filing).map(rows -> rows.stream().findFirst());
    }

    /** The board that {@link FilingRules#problems} needs to look at one filing, read without locks. */
    Future<CaseBoard> boardOf(CaseBoard.CaseFacts facts, Filing filing) {
        CaseBoard board = new CaseBoard();
        return database.read(client -> readQuotas(client, List.of(FilingRules.quotaKey(facts, filing)), board))
                .compose(counted -> rules.hasDeadline(facts, filing)
                        ? database.read(client -> readDates(client, new UUID[] {filing.caseId()}, board))
                        : Future.succeededFuture())
                .compose(read -> filing.supersedes() == null
                        ? Future.succeededFuture(board)
                        : docket.references(filing.supersedes()).onSuccess(board.references::putAll).map(board));
    }

    /** Filters of a listing; null where there is none. */
    record Filter(String state, String documentId, String partyId, long beforeFilingId, int limit) {}

    /** Filings of a case that a part may see, the newest first. */
    Future<List<Filing>> visible(UUID caseId, Part part, Filter filter) {
        return database.query("select " + FILING_COLUMNS + """
                from mainapi.filings f
                where f.case_id = $1 and f.filing_id < $2
                  and (f.state = 'docketed' or f.party_id = $3 or (not $4 and f.submitted_at is not null and f.approver_party = $3))
                  and ($5::text is null or f.state = $5) and ($6::text is null or f.document_id = $6) and ($7::text is null or f.party_id = $7)
                order by f.filing_id desc
                limit $8
                """, Tuple.of(caseId, filter.beforeFilingId, part.partyId(), part.isObserver(), filter.state, filter.documentId)
                        .addValue(filter.partyId).addValue(filter.limit), FilingRepository::filing);
    }

    /** What a person can decide on now, in all open cases or in one, the oldest first. */
    Future<List<Filing>> pendingApproval(UUID userId, UUID caseId, int limit) {
        return database.query("select " + FILING_COLUMNS + """
                from cases_api.participants p
                join cases_api.cases c on c.case_id = p.case_id and c.status = 'open'
                join mainapi.filings f on f.case_id = p.case_id and f.state = 'submitted' and f.approver_party = p.party_id
                where p.user_id = $1 and not p.is_observer and f.user_id <> $1 and ($2::uuid is null or p.case_id = $2)
                order by f.submitted_at, f.filing_id
                limit $3
                """, Tuple.of(userId, caseId, limit), FilingRepository::filing);
    }

    private static Filing filing(Row row) {
        return new Filing(row.getLong("filing_id"), row.getUUID("case_id"), row.getString("document_id"),
                row.getString("phase_id"), row.getString("party_id"), row.getUUID("user_id"), row.getUUID("organization_id"),
                FilingState.ofWireName(row.getString("state")), row.getString("title"), new JsonObject(row.getString("fields")),
                row.getLong("supersedes"), row.getLong("parent_entry_id"), row.getLong("revision"), instant(row, "created"),
                instant(row, "updated"), instant(row, "submitted_at"), row.getString("approver_party"), instant(row, "decided_at"),
                row.getUUID("decided_by"), row.getString("reason"), row.getLong("entry_id"),
                row.getBoolean("late"));
    }

    private static Instant instant(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }
}
