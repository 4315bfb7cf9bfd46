package io.arbitration.mainapi;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.vertx.sqlclient.Row;
import java.util.Optional;

/** Reads a participant from a row with the columns of {@code cases_api.participants}. */
public final class ParticipantRow {

    /** The columns that {@link #of} reads, of a table with the alias {@code p}. */
    public static final String COLUMNS = "p.organization_id, p.party_id, p.is_primary, p.is_observer, p.may_file";

    private ParticipantRow() {}

    /** The user's participation; empty if an outer join found none. */
    public static Optional<Participant> of(Row row, UserId userId) {
        return Optional.ofNullable(row.getString("party_id")).map(party -> new Participant(
                userId, Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new), new PartyId(party),
                row.getBoolean("is_primary"), row.getBoolean("is_observer"), row.getBoolean("may_file")));
    }
}
