package io.arbitration.mainapi.docket;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.docket.SealRules;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.ParticipantRow;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The seals of docket entries. Every statement is part of the transaction that changes one. */
final class SealRepository {

    /** An entry of a case. */
    record Entry(CaseId caseId, EntryId entryId) {}

    /**
     * Locks the case, so that its participants stay as they are, and its docket. Answers the clock of the case; empty if there is no such
     * case.
     */
    Future<Optional<CaseClock>> lock(SqlConnection transaction, CaseId caseId) {
        return Database.query(transaction, "select c.sandbox_now from cases_api.cases c where c.case_id = $1 for share of c", Tuple.of(caseId.value()),
                        row -> new CaseClock(Optional.ofNullable(row.getOffsetDateTime(0)).map(OffsetDateTime::toInstant)))
                .compose(found -> Database.query(transaction, "select from mainapi.heads where case_id = $1 for no key update", Tuple.of(caseId.value()), row -> row)
                        .map(found.stream().findFirst()));
    }

    /** What decides whether this user may seal the entry. */
    Future<SealRules.Subject> subject(SqlConnection transaction, Entry entry, UserId userId) {
        return Database.query(transaction, """
                select %s, e.entry_id is not null as found, s.entry_id is not null as sealed
                from (select) always
                left join cases_api.participants p on p.case_id = $1 and p.user_id = $2
                left join mainapi.entries e on e.case_id = $1 and e.entry_id = $3
                left join mainapi.seals s on s.entry_id = e.entry_id
                """.formatted(ParticipantRow.COLUMNS), Tuple.of(entry.caseId.value(), userId.value(), entry.entryId.value()),
                row -> new SealRules.Subject(ParticipantRow.of(row, userId), row.getBoolean("found"), row.getBoolean("sealed")))
                .map(List::getFirst);
    }

    /**
     * Increases the revision of the filing of an entry.
     *
     * @param expected the revision that it must have; empty: any
     * @return the new revision; empty if it had another one than expected
     */
    Future<Optional<Long>> countChange(SqlConnection transaction, Entry entry, OptionalLong expected) {
        return Database.query(transaction, """
                update mainapi.filings f set revision = f.revision + 1 from mainapi.entries e
                where e.case_id = $1 and e.entry_id = $2 and f.filing_id = e.filing_id and f.revision = coalesce($3, f.revision)
                returning f.revision
                """, Tuple.of(entry.caseId.value(), entry.entryId.value(), expected.isPresent() ? expected.getAsLong() : null), row -> row.getLong("revision"))
                .map(revisions -> revisions.stream().findFirst());
    }

    /** Seals an entry; replaces an earlier seal. */
    Future<Void> seal(SqlConnection transaction, Entry entry, Seal seal) {
        return transaction.preparedQuery("""
                with counted as (update mainapi.heads set seals = seals + 1 where case_id = $1),
                recorded as (
                  insert into mainapi.seal_changes (entry_id, changed_at, changed_by, visible_to, reason) values ($2, $6, $5, $3::text[], $4))
                insert into mainapi.seals (entry_id, case_id, party_id, visible_to, reason, sealed_by, sealed_at)
                select e.entry_id, e.case_id, e.party_id, $3::text[], $4, $5, $6
                from mainapi.entries e where e.case_id = $1 and e.entry_id = $2
                on conflict (entry_id) do update set visible_to = excluded.visible_to, reason = excluded.reason,
                  sealed_by = excluded.sealed_by, sealed_at = excluded.sealed_at
                """).execute(Tuple.tuple().addUUID(entry.caseId.value()).addLong(entry.entryId.value())
                        .addArrayOfString(seal.terms().visibleTo().stream().map(PartyId::value).toArray(String[]::new))
                        .addString(seal.terms().reason()).addUUID(seal.by().value()).addOffsetDateTime(seal.at().atOffset(ZoneOffset.UTC)))
                .mapEmpty();
    }

    Future<Void> unseal(SqlConnection transaction, Entry entry, String reason, UserId by, Instant at) {
        return transaction.preparedQuery("""
                with counted as (update mainapi.heads set seals = seals + 1 where case_id = $1),
                recorded as (insert into mainapi.seal_changes (entry_id, changed_at, changed_by, reason) values ($2, $5, $4, $3))
                delete from mainapi.seals where case_id = $1 and entry_id = $2
                """).execute(Tuple.of(entry.caseId.value(), entry.entryId.value(), reason, by.value(), at.atOffset(ZoneOffset.UTC))).mapEmpty();
    }
}
