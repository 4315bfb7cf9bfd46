package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.db.MigrationFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever is decided of a case is decided at the time of that case ({@code CaseClock}), which in a sandbox is not that of the platform. So no
 * SQL asks the database for the time but where it has nothing to do with a case, and no service of the areas of cases asks the clock of
 * the platform but through the clock of the case.
 */
class CaseTimeTest {

    private static final Path MAIN = Path.of("src/main/java/io/arbitration");
    private static final Pattern TEXT = Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
    private static final Pattern TIME_IN_SQL = Pattern.compile(
            "\\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\\s*\\(\\)|\\b(current_timestamp|current_date|current_time|localtime|localtimestamp)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern CLOCK = Pattern.compile("(?<!\\.now\\(|\\.next\\()\\bclock\\.instant\\(\\)|\\bInstant\\.now\\(|\\bcurrentTimeMillis\\(");

    /** Where SQL asks for the time of the database, and why no case has anything to do with it. */
    private static final Map<String, String> TECHNICAL = Map.ofEntries(
            Map.entry("ai/analyses/AnalysisRepository", "when a model ran, and how much of its day is left"),
            Map.entry("ai/analyses/PlanRepository", "when an analysis was planned"),
            Map.entry("alerts/AlertRepository", "how long alerts that ended are kept"),
            Map.entry("alerts/FanOutRepository", "up to when people were looked for who joined a case"),
            Map.entry("emails/EmailRepository", "when an email was held"),
            Map.entry("emails/smtp/DeliveryRepository", "when the mail server took an email"),
            Map.entry("platform/events/CursorLeaseRepository", "leases"),
            Map.entry("platform/events/EventCursor", "how far behind a consumer is"),
            Map.entry("platform/events/EventLog", "when an event of a sandbox entered the log"),
            Map.entry("platform/idempotency/IdempotencyRepository", "which nodes are alive"),
            Map.entry("platform/limits/RateCountsRepository", "rate limits"),
            Map.entry("platform/nodes/NodeRepository", "heartbeats"),
            Map.entry("platform/queue/QueueItemRepository", "leases and pauses of work queues"),
            Map.entry("push/messages/UserMessageRepository", "leases, pauses and expiry of push messages"),
            Map.entry("webhooks/NoticeRepository", "when an organization was told of a URL that fails"),
            Map.entry("webhooks/deliveries/DeliveryRepository", "retention and redelivery"),
            Map.entry("webhooks/events/FanOutRepository", "when a delivery is due"),
            Map.entry("webhooks/sending/QueueRepository", "leases and pauses of deliveries"),
            Map.entry("webhooks/sending/TestRepository", "leases of tests"),
            Map.entry("webhooks/urls/UrlRepository", "secrets of URLs, and when URLs were disabled"));

    /** Where the areas of cases ask for the time of the platform, and what for. */
    private static final Map<String, String> OF_THE_PLATFORM = Map.ofEntries(
            Map.entry("cases/CasesService", "when a case is created, from which its clock begins; handed to the clock of the case else"),
            Map.entry("cases/calendar/FeedService", "which days a calendar feed shows, whose readers live by it"),
            Map.entry("cases/deadlines/DeadlinesService", "the audit trail; handed with each deadline to the clock of its case"),
            Map.entry("cases/deadlines/Reminders", "reminders of the cases that run by it"),
            Map.entry("cases/definitions/JollydayCalendars", "which years are computed at the start"),
            Map.entry("cases/hearings/HearingService", "the audit trail"),
            Map.entry("cases/invitations/InvitationNews", "whether a link can still be used"),
            Map.entry("cases/invitations/InvitationService", "how long a link can be used, and how many are sent a day"),
            Map.entry("cases/sandbox/SandboxService", "the audit trail"),
            Map.entry("mainapi/docket/SealService", "the audit trail; handed to the clock of the case else"),
            Map.entry("mainapi/evidence/EvidenceService", "the audit trail"),
            Map.entry("mainapi/export/CaseArchives", "when an archive was made, and which audit lines are recent"),
            Map.entry("mainapi/export/ExportAudit", "the audit trail"),
            Map.entry("mainapi/filings/FileService", "the audit trail"),
            Map.entry("mainapi/filings/FilingBatches", "the audit trail"),
            Map.entry("mainapi/filings/Receipts", "when a receipt was issued"),
            Map.entry("mainapi/filings/RedactionService", "the audit trail; handed to the clock of the case else"),
            Map.entry("mainapi/live/LiveService", "how long a position in the events is good"),
            Map.entry("mainapi/live/LiveStream", "how long a connection is quiet, and when its session ends"),
            Map.entry("mainapi/notice/NoticeService", "idempotency keys and what one may send a day; handed to the clock of the case else"),
            Map.entry("mainapi/notice/Outbox", "when the emails area refused an email"),
            Map.entry("mainapi/notice/ProofService", "when a proof was made"));

    @Test
    void noSqlAsksForTheTimeWhereItDecidesAnythingOfACase() throws IOException {
        assertThat(uses(MAIN, file -> TEXT.matcher(file).results()
                .map(text -> text.group(1) == null ? text.group(2) : text.group(1)).filter(text -> TIME_IN_SQL.matcher(text).find()).toList()))
                .as("uses that are new or gone").isEqualTo(there(TECHNICAL));
    }

    @Test
    void noTableOrFunctionOfCasesFillsInATimeOfItsOwn() throws IOException {
        for (MigrationFile migration : MigrationFile.all()) {
            assertThat(migration.statements()).as(migration.name())
                    .filteredOn(statement -> statement.matches("(create|alter) table (cases|mainapi)\\..*"))
                    .noneMatch(statement -> TIME_IN_SQL.matcher(statement).find());
        }
    }

    @Test
    void theAreasOfCasesAskTheClockOfTheCase() throws IOException {
        Set<String> found = uses(MAIN.resolve("cases"), file -> CLOCK.matcher(file).results().map(MatchResult::group).toList());
        found.addAll(uses(MAIN.resolve("mainapi"), file -> CLOCK.matcher(file).results().map(MatchResult::group).toList()));
        assertThat(found).as("uses that are new or gone").isEqualTo(there(OF_THE_PLATFORM));
    }

    @Test
    void theGrepFindsWhatItLooksFor() {
        for (String sql : List.of("set at = now()", "where d < CURRENT_TIMESTAMP", "select clock_timestamp ()", "current_date - 7")) {
            assertThat(TIME_IN_SQL.matcher(sql).find()).as(sql).isTrue();
        }
        for (String other : List.of("known", "select now_at", "currently")) {
            assertThat(TIME_IN_SQL.matcher(other).find()).as(other).isFalse();
        }
        assertThat(CLOCK.matcher("Timestamps.milliseconds(clock.instant())").find()).isTrue();
        assertThat(CLOCK.matcher("of.clock().now(clock.instant())").find()).isFalse();
    }

    /** Those that there are on this branch. */
    private static Set<String> there(Map<String, String> named) {
        return named.keySet().stream().filter(name -> Files.exists(MAIN.resolve(name + ".java"))).collect(Collectors.toCollection(TreeSet::new));
    }

    private interface Looking {
        List<String> in(String file);
    }

    /** The files below a folder in which something is found, as paths below that of the code, without their ending. */
    private static Set<String> uses(Path folder, Looking looking) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            Map<String, List<String>> found = new TreeMap<>();
            for (Path file : all.filter(one -> one.toString().endsWith(".java")).toList()) {
                found.put(MAIN.relativize(file).toString().replace(".java", ""), looking.in(Files.readString(file).replaceAll("(?m)^\\s*(//|/?\\*).*$", "")));
            }
            return found.entrySet().stream().filter(one -> !one.getValue().isEmpty()).map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
