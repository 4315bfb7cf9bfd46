package io.arbitration.alerts;

/** What a person's preferences say of an event, in SQL. */
final class WantedSql {

    /**
     * Whether the person of the preferences {@code f} wants to be told of the event {@code e}; {@code is_filer}: whether the entry was
     * filed by that person, for whom its approval is a decision, too.
     */
    static final String WANTED = """
            coalesce(case e.event
              when 'docket_filing' then f.docket_filings or f.decisions and %s
              when 'case_created' then f.case_created
              when 'filing_submitted' then f.approvals
              when 'filing_rejected' then f.decisions
              when 'deadline_near' then f.deadlines end, true)""";

    private WantedSql() {}
}
