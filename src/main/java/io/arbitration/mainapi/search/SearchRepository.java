package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.search.SearchQuery;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds documents; the query itself checks the rights of the reader. */
final class SearchRepository {

    private final Database database;
    private final String[] sharedPhases;

    /** @param sharedPhases phases in which every participant sees all evidence */
    SearchRepository(Database database, List<PhaseId> sharedPhases) {
        this.database = database;
        this.sharedPhases = sharedPhases.stream().map(PhaseId::value).toArray(String[]::new);
    }

    /** The position of a page: after this document. */
    record Place(Instant at, UUID documentId) {

        static final Place FIRST = new Place(Instant.parse("9999-12-31T00:00:00Z"), new UUID(0, 0));
    }

    /**
     * A found document.
     *
     * @param text the text of the first piece with a wanted word
     * @param hasText whether the file has any text that can be read
     */
    record Found(
            UUID documentId, String kind, UUID caseId, Optional<Long> entryId, Optional<Long> filingId, Optional<Long> uploadId,
            Optional<Long> fileId, String title, Instant at, String text, boolean hasText) {

        Place place() {
            return new Place(at, documentId);
        }
    }

    /** @param kinds empty: all of them */
    record Asked(UserId reader, SearchQuery query, Optional<CaseId> caseId, List<String> kinds, Place after, int limit) {}

    /**
     * The documents that a reader may see now, the newest first. Each document contains the ID of its case as a word, and the
     * condition on the index contains those of the reader's cases. So the index finds only documents of these cases, however
     * frequent the other words are.
     */
    static final String FIND = """
            with mine as materialized (
              select p.case_id, p.party_id, c.phase_id = any ($2) as evidence_shared
              from cases_api.participants p cross join lateral (select phase_id from cases_api.cases where case_id = p.case_id offset 0) c
              where p.user_id = $1 and ($3::uuid is null or p.case_id = $3)),
            asked as materialized (
              select string_agg('''' || $4::text || case_id || '''', '|')::tsquery && $5::text::tsquery as words from mine),
            found as materialized (
              select d.document_id, case when d.kind = 'filing' and f.state = 'docketed' then 'entry' else d.kind end as kind, d.case_id,
                     f.entry_id, d.filing_id, d.upload_id, d.file_id, d.title, d.at, d.has_text
              from (
                -- Sorted before rights are looked at, so that these are looked at for a page alone; the offset keeps it so.
                select d.document_id, d.kind, d.case_id, d.filing_id, d.upload_id, d.file_id, d.title, d.at, d.has_text, d.party_id, d.sha256,
                       m.party_id as reader_party, m.evidence_shared
                from search.documents d join mine m on m.case_id = d.case_id
                where d.words @@ (select words from asked) and (d.at, d.document_id) < ($7, $8)
                order by d.at desc, d.document_id desc
                offset 0) d
              left join mainapi.filings f on f.filing_id = d.filing_id
              left join mainapi.seals s on s.entry_id = f.entry_id
              left join mainapi.files i on i.file_id = d.file_id
              where (cardinality($6::text[]) = 0
                  or case when d.kind = 'filing' and f.state = 'docketed' then 'entry' else d.kind end = any ($6))
                -- The text is that of the file as it stands now, not of one that was redacted or removed since.
                and (d.kind <> 'file' or i.sha256 = d.sha256 and (f.party_id = d.reader_party or i.title = d.title))
                -- Of a filing of another side, only the present content is found: an earlier draft would show what was removed before the
                -- filing was submitted. What the release before has indexed has no hash.
                and (d.kind <> 'filing' or f.party_id = d.reader_party or d.sha256 is null
                  or d.sha256 = """ + IndexRepository.FILING_SHA256 + """
                  )
                and case
                  when d.kind = 'case' then true
                  when d.kind = 'exhibit' then d.evidence_shared or d.reader_party = d.party_id or d.reader_party = 'caseManager'
                  when f.state = 'docketed' then s.entry_id is null or d.reader_party = any (s.seen_by)
                  else f.party_id = d.reader_party or f.submitted_at is not null and f.approver_party = d.reader_party end
                and not exists (
                  select from unnest($9::text[]) as w (phrase)
                  where not exists (select from search.pieces p where p.document_id = d.document_id and p.words @@ w.phrase::tsquery))
                and not exists (
                  select from unnest($10::text[]) as w (phrase)
                  where exists (select from search.pieces p where p.document_id = d.document_id and p.words @@ w.phrase::tsquery))
              order by d.at desc, d.document_id desc
              limit $11)
            select f.document_id, f.kind, f.case_id, f.entry_id, f.filing_id, f.upload_id, f.file_id, f.title, f.at, f.has_text,
                   coalesce(
                     (select p.text from search.pieces p where p.document_id = f.document_id and p.words @@ $12::text::tsquery order by p.place limit 1),
                     (select p.text from search.pieces p where p.document_id = f.document_id order by p.place limit 1), '') as text
            from found f
            order by f.at desc, f.document_id desc
            """;

    Future<List<Found>> find(Asked asked) {
        return database.query(FIND, Tuple.tuple()
                .addUUID(asked.reader.value()).addArrayOfString(sharedPhases).addUUID(asked.caseId.map(CaseId::value).orElse(null))
                .addString(SearchTexts.caseWordPrefix()).addString(SearchTexts.candidates(asked.query))
                .addArrayOfString(asked.kinds.toArray(String[]::new))
                .addOffsetDateTime(asked.after.at.atOffset(ZoneOffset.UTC)).addUUID(asked.after.documentId)
                .addArrayOfString(SearchTexts.phrases(asked.query.wanted())).addArrayOfString(SearchTexts.phrases(asked.query.unwanted()))
                .addInteger(asked.limit).addString(SearchTexts.any(asked.query)), SearchRepository::found);
    }

    private static Found found(Row row) {
        return new Found(row.getUUID("document_id"), row.getString("kind"), row.getUUID("case_id"), Optional.ofNullable(row.getLong("entry_id")),
                Optional.ofNullable(row.getLong("filing_id")), Optional.ofNullable(row.getLong("upload_id")),
                Optional.ofNullable(row.getLong("file_id")), row.getString("title"), row.getOffsetDateTime("at").toInstant(),
                row.getString("text"), row.getBoolean("has_text"));
    }

    /** Whether the user is a participant of the case; empty if there is no such case. */
    Future<Optional<Boolean>> takesPart(CaseId caseId, UserId userId) {
        return database.query("""
                select exists (select from cases_api.participants p where p.case_id = c.case_id and p.user_id = $2)
                from cases_api.cases c where c.case_id = $1
                """, Tuple.of(caseId.value(), userId.value()), row -> row.getBoolean(0)).map(Database::first);
    }
}
