package io.arbitration.mainapi.live;

import io.arbitration.domain.PhaseId;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** Who may see now what has changed. */
final class ChangeReaderRepository {

    private final Database database;
    private final String[] sharedPhases;
    private final String[] superAdministrators;

    /**
     * @param sharedPhases phases in which every participant sees all evidence of a case
     * @param superAdministrators case-folded emails of the super administrators in the configuration
     */
    ChangeReaderRepository(Database database, List<PhaseId> sharedPhases, Set<String> superAdministrators) {
        this.database = database;
        this.sharedPhases = sharedPhases.stream().map(PhaseId::value).toArray(String[]::new);
        this.superAdministrators = superAdministrators.toArray(String[]::new);
    }

    /** The transactions under way that have written to a table with hints. Their names can only be compared. */
    Future<Set<String>> writers() {
        return database.query("select writer from platform.change_writers", Tuple.tuple(), row -> row.getString("writer")).map(Set::copyOf);
    }

    /** A hint at a change, with those that may get it. */
    record Addressed(Hint hint, Set<UUID> readers) {}

    /** The hints at these changes, each with those of the subscribers that may see now what changed; without hints that nobody may see. */
    Future<List<Addressed>> addressed(List<Change> changes, Collection<UUID> subscribers) {
        return database.query("""
                select c.place, k.case_id, r.readers
                from unnest($1::int[], $2::text[], $3::uuid[], $4::text[]) as c(place, audience, id, detail)
                left join cases_api.cases k on k.case_id = case c.audience
                  when 'notice' then (select n.case_id from mainapi.notice_recipients s join mainapi.notices n using (notice_id) where s.idempotency_key = c.detail)
                  else c.id end
                cross join lateral (select array(
                  select p.user_id from cases_api.participants p
                  where p.case_id = k.case_id and p.user_id = any ($5) and case c.audience
                    when 'case' then true
                    when 'notice' then true
                    when 'parties' then p.party_id = any (string_to_array(c.detail, ','))
                    when 'evidence' then p.party_id in (c.detail, 'caseManager') or k.phase_id = any ($6)
                    when 'entry' then not mainapi.withheld(c.detail::bigint, p.user_id)
                    when 'inviters' then not p.is_observer and (p.party_id = 'caseManager' or p.is_primary and p.party_id = c.detail)
                    else false end
                  union
                  select m.user_id from identity_api.memberships m
                  where m.organization_id = c.id and m.user_id = any ($5) and case c.audience
                    when 'organization' then true
                    when 'members' then true
                    when 'administrators' then m.is_administrator
                    else false end
                  union
                  select s.id from (values (case c.audience when 'organization' then c.id when 'user' then c.detail::uuid end)) as s(id)
                  where s.id = any ($5)
                  union
                  select u.user_id from identity_api.users u
                  where c.audience = 'platform' and u.user_id = any ($5) and not u.disabled and (
                    lower(u.email collate "C") = any ($7)
                    or exists (select from identity_api.permissions g where g.user_id = u.user_id and g.permission = 'admin.platform.super'))) as readers) r
                where cardinality(r.readers) > 0
                order by c.place
                """, Tuple.tuple()
                        .addArrayOfInteger(IntStream.range(0, changes.size()).boxed().toArray(Integer[]::new))
                        .addArrayOfString(changes.stream().map(Change::audience).toArray(String[]::new))
                        .addArrayOfUUID(changes.stream().map(change -> change.id().orElse(null)).toArray(UUID[]::new))
                        .addArrayOfString(changes.stream().map(Change::detail).toArray(String[]::new))
                        .addArrayOfUUID(subscribers.toArray(UUID[]::new))
                        .addArrayOfString(sharedPhases)
                        .addArrayOfString(superAdministrators),
                row -> new Addressed(changes.get(row.getInteger("place")).hint(Optional.ofNullable(row.getUUID("case_id"))),
                        Set.of(row.getArrayOfUUIDs("readers"))));
    }
}
