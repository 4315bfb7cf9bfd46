package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.UserId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Lists the deadlines in all cases of a user. The participants are read at the moment of the list. */
final class UserDeadlineRepository {

    private final Database database;

    UserDeadlineRepository(Database database) {
        this.database = database;
    }

    /**
     * Deadlines in the cases of a user after the cursor, the earliest first. The index alone determines the page, whose rows are
     * then read.
     */
    Future<List<ListedDeadline>> ofUser(UserId userId, TimeWindow window, TimeKey after, int limit) {
        return ofUser("", userId, window, after, limit);
    }

    /** The same without a cursor, the latest first. */
    Future<List<ListedDeadline>> latestOfUser(UserId userId, TimeWindow window, int limit) {
        return ofUser(" desc", userId, window, TimeKey.FIRST, limit);
    }

    /** @param order nothing, or {@code desc} for the latest first */
    private Future<List<ListedDeadline>> ofUser(String order, UserId userId, TimeWindow window, TimeKey after, int limit) {
        // The page can only contain deadlines of those cases whose first deadlines are the earliest. So the statement reads the first
        // deadline of each case, and further ones only of as many cases as the page has rows.
        return database.query("""
                select %1$s, %2$s as met
                from (
                  select k.date, k.deadline_id
                  from (
                    select p.case_id, c.closed_at
                    from cases.participants p
                    left join cases.cases c on c.case_id = p.case_id and c.closed_at is not null
                    cross join lateral (
                      select d.date, d.deadline_id from cases.deadlines d where %3$s order by d.date%6$s, d.deadline_id%6$s limit 1) first
                    where p.user_id = $1
                    order by first.date%6$s, first.deadline_id%6$s
                    limit $5) p
                  cross join lateral (
                    select d.date, d.deadline_id from cases.deadlines d where %4$s order by d.date%6$s, d.deadline_id%6$s limit $5) k
                  union all
                  select d.date, d.deadline_id
                  from cases.participants p
                  join cases.cases c on c.case_id = p.case_id and c.closed_at is not null
                  join cases.deadlines d on d.case_id = c.case_id and d.date > c.closed_at
                  where p.user_id = $1 and %5$s and %2$s
                  order by date%6$s, deadline_id%6$s
                  limit $5) page
                join cases.deadlines d using (deadline_id)
                order by d.date%6$s, d.deadline_id%6$s
                """.formatted(DeadlineRepository.COLUMNS, DeadlineRepository.MET, inWindow("c.closed_at"), inWindow("p.closed_at"), DeadlineRepository.DATED, order),
                DeadlineRepository.window(userId.value(), window, after, limit), DeadlineRepository::listed);
    }

    /** The deadlines of the case {@code p} after the cursor, in the window, and before the case was closed. */
    private static String inWindow(String closedAt) {
        return """
                d.case_id = p.case_id and %s and d.date <= coalesce(%s, 'infinity'::timestamptz)""".formatted(DeadlineRepository.DATED, closedAt);
    }

    /** The number of cases of a user, counted up to a bound. */
    Future<Integer> casesOf(UserId userId, int most) {
        return database.query("""
                select count(*)::integer from (select from cases.participants where user_id = $1 limit $2) p
                """, Tuple.of(userId.value(), most), row -> row.getInteger(0)).map(List::getFirst);
    }

    /**
     * Deadlines of a user that were found by reading the deadlines of all users in the order of dates.
     *
     * @param hasAll whether none is missing, because the page is full or all deadlines in the window were read
     */
    record AlongDates(List<ListedDeadline> found, boolean hasAll) {}

    /**
     * The same as {@link #ofUser}, found by reading the deadlines of all users in the order of dates. It may find less than a page.
     *
     * @param looked the maximum number of deadlines that are read
     */
    Future<AlongDates> ofUserByDate(UserId userId, TimeWindow window, TimeKey after, int limit, int looked) {
        // "is true" makes the planner look up each deadline in a hash of the user's cases, and so keep the order of the index.
        // Whether the bound was reached is only computed if the page is not full, in the same statement, so that both have the
        // same snapshot.
        return database.query("""
                with page as materialized (
                  select s.date, s.deadline_id
                  from (select d.date, d.deadline_id, d.case_id from cases.deadlines d where %3$s order by d.date, d.deadline_id limit $6) s
                  where (s.case_id in (select p.case_id from cases.participants p where p.user_id = $1)) is true
                    and (coalesce((select c.closed_at from cases.cases c where c.case_id = s.case_id and c.closed_at is not null), 'infinity') >= s.date
                      or (select %2$s from cases.deadlines d where d.deadline_id = s.deadline_id))
                  order by s.date, s.deadline_id
                  limit $5),
                reach as materialized (
                  select case when (select count(*) from page) = $5 then true
                              else (select count(*) from (select from cases.deadlines d where %3$s order by d.date, d.deadline_id limit $6) looked) < $6 end as has_all)
                select r.has_all, d.deadline_id is not null as is_found, %1$s, %2$s as met
                from reach r left join (page join cases.deadlines d using (deadline_id)) on true
                order by d.date, d.deadline_id
                """.formatted(DeadlineRepository.COLUMNS, DeadlineRepository.MET, DeadlineRepository.DATED), DeadlineRepository.window(userId.value(), window, after, limit, looked), row -> row)
                .map(rows -> new AlongDates(rows.stream().filter(row -> row.getBoolean("is_found")).map(DeadlineRepository::listed).toList(),
                        rows.getFirst().getBoolean("has_all")));
    }
}
