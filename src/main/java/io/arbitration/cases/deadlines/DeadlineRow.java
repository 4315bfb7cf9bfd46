package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.TimeKey;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/** A row {@code d} of the table {@code cases.deadlines}: what is read of it, and where it lies among others. */
final class DeadlineRow {

    /** What {@link #listed} reads beside {@link #MET}, as {@code met}. */
    static final String COLUMNS = """
            d.deadline_id, d.case_id, d.phase_id, d.document_id, d.party_id, d.trigger_entry, d.trigger_at, d.rule, d.raw_date, d.rolled_date,
            d.late, d.set_for, d.extended_to, d.date, (select sandbox_now from cases.cases where case_id = d.case_id) as sandbox_now""";
    /** Whether the document was submitted in time, and is neither withdrawn nor rejected. */
    static final String MET = """
            exists (
              select from mainapi_api.filings f
              where f.case_id = d.case_id and f.document_id = d.document_id and f.party_id = d.party_id
                and f.state in ('submitted', 'docketed') and f.submitted_at between d.trigger_at and d.date)""";
    /** Behind a place in the order of dates, and not after the end of the window: parameters 2 to 4 of {@link #window}. */
    static final String DATED = "(d.date, d.deadline_id) > ($2, $3) and d.date <= coalesce($4, 'infinity'::timestamptz)";

    private DeadlineRow() {}

    /** The values of a statement about deadlines of somebody or something, in a window, after a place. */
    static Tuple window(Object of, TimeWindow window, TimeKey after, Integer... bounds) {
        // One place to begin at: with two conditions the index would be read from the earlier one on.
        TimeKey place = window.from().filter(from -> from.isAfter(after.at()))
                .map(from -> new TimeKey(from.minus(1, ChronoUnit.MICROS), TimeKey.LAST.id())).orElse(after);
        Tuple values = Tuple.of(of, Columns.utc(place.at()), place.id(), window.until().map(Columns::utc).orElse(null));
        Stream.of(bounds).forEach(values::addInteger);
        return values;
    }

    static ListedDeadline listed(Row row) {
        Deadline set = new Deadline(row.getString("rule"), instant(row, "trigger_at"), row.getLocalDate("raw_date"), row.getLocalDate("rolled_date"),
                instant(row, "set_for"), late(row.getString("late")), Optional.empty());
        return new ListedDeadline(new CaseDeadline(new DeadlineId(row.getUUID("deadline_id")), new CaseId(row.getUUID("case_id")),
                new PhaseId(row.getString("phase_id")), new DocumentTypeId(row.getString("document_id")), new PartyId(row.getString("party_id")),
                Optional.ofNullable(row.getLong("trigger_entry")).map(EntryId::new), set),
                Optional.ofNullable(row.getOffsetDateTime("extended_to")).map(OffsetDateTime::toInstant),
                new CaseClock(Optional.ofNullable(row.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)), row.getBoolean("met"));
    }

    private static LateFiling late(String wireName) {
        return Stream.of(LateFiling.values()).filter(late -> late.wireName().equals(wireName)).findFirst().orElseThrow();
    }

    static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }
}
