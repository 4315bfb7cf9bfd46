package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.LoggedEvent;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The search index: the sources to be indexed, and the indexed documents. */
final class IndexRepository implements ContentRepository<IndexSource, IndexOutcome> {

    /** The hash of the title and fields of a filing {@code f}. It tells whether what was indexed is still the content of the filing. */
    static final String FILING_SHA256 = "encode(sha256(convert_to(f.title || E'\\n' || f.fields, 'UTF8')), 'hex')";

    private static final Set<String> OF_FILINGS = Set.of("filing_drafted", "filing_submitted", "filing_rejected", "filing_withdrawn", "docket_filing");

    private final Database database;

    IndexRepository(Database database) {
        this.database = database;
    }

    /** Queues the sources to which events refer, in the transaction that moves the cursor. */
    Future<Void> want(SqlConnection transaction, List<LoggedEvent> events) {
        Map<UUID, Set<Long>> filings = events.stream().filter(event -> OF_FILINGS.contains(event.kind()))
                .collect(Collectors.groupingBy(LoggedEvent::caseId, Collectors.flatMapping(event -> filingId(event).stream(), Collectors.toSet())));
        List<UUID> cases = events.stream().filter(event -> event.kind().equals("case_created")).map(LoggedEvent::caseId).distinct().toList();
        Future<Void> wanted = Future.succeededFuture();
        for (UUID caseId : cases) {
            wanted = wanted.compose(before -> want(transaction, caseId, IndexSource.Kind.CASE, Set.of(0L)));
        }
        for (Map.Entry<UUID, Set<Long>> ofCase : filings.entrySet()) {
            wanted = wanted.compose(before -> want(transaction, ofCase.getKey(), IndexSource.Kind.FILING, ofCase.getValue()));
        }
        return wanted;
    }

    /** The filing of an event; empty for an event with malformed data, which must not stop the consumer. */
    private static Optional<Long> filingId(LoggedEvent event) {
        try {
            return new JsonObject(event.envelope()).getValue("data") instanceof JsonObject data
                    ? Optional.ofNullable(data.getValue("filingID")).map(Object::toString).filter(id -> id.matches("[0-9]{1,18}")).map(Long::valueOf)
                    : Optional.empty();
        } catch (DecodeException notJson) {
            return Optional.empty();
        }
    }

    private static Future<Void> want(SqlConnection transaction, UUID caseId, IndexSource.Kind kind, Set<Long> refs) {
        return transaction.preparedQuery("select search.want($1, $2, $3)")
                .execute(Tuple.of(caseId, kind.text(), refs.stream().sorted().toArray(Long[]::new))).mapEmpty();
    }

    @Override
    public Future<List<IndexSource>> read(List<Lease> leases) {
        Map<Long, Lease> byKey = Lease.byKey(leases);
        return database.query("""
                select s.source_id, s.case_id, s.kind, s.ref, s.wanted,
                       c.title as case_title, c.created,
                       f.title as filing_title, f.fields, f.updated, """ + FILING_SHA256 + """
                        as filing_sha256,
                       u.party_id, u.exhibit, u.description, u.created as uploaded, i.title as file_title, i.filing_id, i.created as filed,
                       coalesce(u.file_name, i.file_name) as file_name, coalesce(u.content_type, i.content_type) as content_type,
                       coalesce(u.address, i.address) as address, coalesce(u.bytes, i.bytes) as bytes, coalesce(u.sha256, i.sha256) as sha256,
                       coalesce(u.block_hashes, i.block_hashes) as block_hashes
                from search.sources s
                left join cases_api.cases c on s.kind = 'case' and c.case_id = s.case_id
                left join mainapi.filings f on s.kind = 'filing' and f.filing_id = s.ref and f.case_id = s.case_id
                left join mainapi.uploads u on s.kind = 'exhibit' and u.upload_id = s.ref and u.case_id = s.case_id
                left join mainapi.files i on s.kind = 'file' and i.file_id = s.ref and i.case_id = s.case_id
                where s.source_id = any ($1)
                """, Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> {
                    IndexSource.Kind kind = IndexSource.Kind.of(row.getString("kind"));
                    return new IndexSource(byKey.get(row.getLong("source_id")), new CaseId(row.getUUID("case_id")), kind, row.getLong("ref"),
                            row.getInteger("wanted"), content(kind, row));
                });
    }

    private static Optional<IndexSource.Content> content(IndexSource.Kind kind, Row row) {
        return switch (kind) {
            case CASE -> Optional.ofNullable(row.getString("case_title")).map(title -> new IndexSource.Content(title, "",
                    row.getOffsetDateTime("created").toInstant(), OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
            case FILING -> Optional.ofNullable(row.getString("filing_title")).map(title -> new IndexSource.Content(title,
                    text(new JsonObject(row.getString("fields"))), row.getOffsetDateTime("updated").toInstant(), OptionalLong.of(row.getLong("ref")),
                    Optional.empty(), Optional.of(row.getString("filing_sha256")), Optional.empty()));
            case EXHIBIT -> Optional.ofNullable(row.getString("party_id")).map(party -> new IndexSource.Content(
                    "%s %s".formatted(new ExhibitNumber(new PartyId(party), row.getInteger("exhibit")), row.getString("file_name")),
                    row.getString("description"), row.getOffsetDateTime("uploaded").toInstant(), OptionalLong.empty(), Optional.of(party),
                    Optional.of(row.getString("sha256")), Optional.of(file(row))));
            case FILE -> Optional.ofNullable(row.getString("file_title")).map(title -> new IndexSource.Content(title, row.getString("file_name"),
                    row.getOffsetDateTime("filed").toInstant(), OptionalLong.of(row.getLong("filing_id")), Optional.empty(),
                    Optional.of(row.getString("sha256")), Optional.of(file(row))));
        };
    }

    private static IndexSource.StoredFile file(Row row) {
        return new IndexSource.StoredFile(row.getString("address"), row.getString("content_type"), row.getLong("bytes"), row.getString("sha256"),
                row.getBuffer("block_hashes"));
    }

    /** The texts of the fields, one on each line; booleans are left out. */
    private static String text(JsonObject fields) {
        return fields.stream().map(Map.Entry::getValue).filter(Predicate.not(Boolean.class::isInstance)).map(String::valueOf)
                .filter(value -> !value.equals("true") && !value.equals("false")).collect(Collectors.joining("\n"));
    }

    @Override
    public Future<Void> record(SqlConnection transaction, List<IndexOutcome> outcomes) {
        List<IndexOutcome.Indexed> indexed = outcomes.stream().filter(IndexOutcome.Indexed.class::isInstance).map(IndexOutcome.Indexed.class::cast).toList();
        List<IndexSource> done = outcomes.stream().flatMap(outcome -> switch (outcome) {
            case IndexOutcome.Indexed one -> Stream.of(one.source());
            case IndexOutcome.Gone gone -> Stream.of(gone.source());
            case IndexOutcome.Again again -> Stream.<IndexSource>empty();
        }).toList();
        if (done.isEmpty()) {
            return Future.succeededFuture();
        }
        // Sent without waiting for each other; the connection executes them in this order.
        return Future.all(remove(transaction, done), insert(transaction, indexed), insertPieces(transaction, indexed), settled(transaction, done)).mapEmpty();
    }

    private static Future<Void> remove(SqlConnection transaction, List<IndexSource> sources) {
        return transaction.preparedQuery("delete from search.documents where source_id = any ($1)")
                .execute(new Columns<>(sources).numbers(source -> source.lease().key()).tuple()).mapEmpty();
    }

    private static Future<Void> insert(SqlConnection transaction, List<IndexOutcome.Indexed> documents) {
        if (documents.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                insert into search.documents (document_id, source_id, case_id, kind, filing_id, upload_id, file_id, party_id, sha256, title, at, has_text, words)
                select d.document_id, d.source_id, d.case_id, d.kind, d.filing_id, d.upload_id, d.file_id, d.party_id, d.sha256, d.title, d.at, d.has_text, d.words::tsvector
                from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::text[],
                  $11::timestamptz[], $12::boolean[], $13::text[])
                  as d (document_id, source_id, case_id, kind, filing_id, upload_id, file_id, party_id, sha256, title, at, has_text, words)
                """).execute(new Columns<>(documents)
                        .ids(IndexOutcome.Indexed::documentId).numbers(one -> one.source().lease().key()).ids(one -> one.source().caseId().value())
                        .texts(one -> one.source().kind().text())
                        .numbers(one -> content(one).filingId().isPresent() ? content(one).filingId().getAsLong() : null)
                        .numbers(one -> one.source().kind() == IndexSource.Kind.EXHIBIT ? one.source().ref() : null)
                        .numbers(one -> one.source().kind() == IndexSource.Kind.FILE ? one.source().ref() : null)
                        .texts(one -> content(one).partyId().orElse(null)).texts(one -> content(one).sha256().orElse(null))
                        .texts(one -> content(one).title()).times(one -> content(one).at()).flags(IndexOutcome.Indexed::hasText)
                        .texts(one -> one.texts().words()).tuple()).mapEmpty();
    }

    private static IndexSource.Content content(IndexOutcome.Indexed indexed) {
        return indexed.source().content().orElseThrow();
    }

    /** A piece of a text, and its number in its document, from 1. */
    private record PlacedPiece(UUID documentId, int place, SearchTexts.Piece piece) {}

    private static Future<Void> insertPieces(SqlConnection transaction, List<IndexOutcome.Indexed> documents) {
        List<PlacedPiece> pieces = documents.stream().flatMap(document -> IntStream.range(0, document.texts().pieces().size())
                .mapToObj(place -> new PlacedPiece(document.documentId(), place + 1, document.texts().pieces().get(place)))).toList();
        if (pieces.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                insert into search.pieces (document_id, place, text, words)
                select p.document_id, p.place, p.text, p.words::tsvector
                from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) as p (document_id, place, text, words)
                """).execute(new Columns<>(pieces).ids(PlacedPiece::documentId).numbers(one -> (long) one.place).texts(one -> one.piece.text())
                        .texts(one -> one.piece.words()).tuple()).mapEmpty();
    }

    /**
     * Queues a source again if it has changed while it was read: the change added no item, because the item that is now done
     * still existed.
     */
    private static Future<Void> settled(SqlConnection transaction, List<IndexSource> sources) {
        return transaction.preparedQuery("""
                with done as (
                  update search.sources s set indexed = v.version
                  from unnest($1::bigint[], $2::bigint[]) as v (source_id, version)
                  where s.source_id = v.source_id
                  returning s.source_id, s.wanted > v.version as changed)
                select platform.enqueue('search', array_agg(source_id)) from done where changed having count(*) > 0
                """).execute(new Columns<>(sources).numbers(source -> source.lease().key()).numbers(source -> (long) source.version()).tuple()).mapEmpty();
    }
}
