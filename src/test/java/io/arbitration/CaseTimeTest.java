package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.db.MigrationFile;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever is decided of a case is decided at the time of that case ({@code CaseClock}), which in a sandbox is not that of the platform. So no
 * SQL asks the database for the time but where it has nothing to do with a case, and no service of the areas of cases asks the clock of
 * the platform but through the clock of the case. The sources are searched, as people read them; the compiled classes show that the search
 * misses no call.
 */
class CaseTimeTest {

    private static final Path MAIN = Path.of("src/main/java/io/arbitration");
    private static final Path CLASSES = Path.of("target/classes/io/arbitration");
    /** Areas whose services decide of cases, or tell people of what is decided. */
    private static final List<String> OF_CASES = List.of("cases", "mainapi", "alerts", "domain");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(//|/?\\*).*$");
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern TEXT = Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
    /** Functions, keywords and special inputs (PostgreSQL 18, sections 8.5.1.4 and 9.9.5), with what may stand between a name and its brackets. */
    private static final Pattern TIME_IN_SQL = Pattern.compile("""
            \\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)"?(\\s|/\\*.*?\\*/)*\\((\\s|/\\*.*?\\*/)*\\)\
            |\\b(current_timestamp|current_date|current_time|localtime|localtimestamp|xact_start|query_start|pg_xact_commit_timestamp|pg_postmaster_start_time)\\b\
            |'\\s*(now|today|tomorrow|yesterday)\\s*'|\\bage\\s*\\([^,()]*\\)""", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    /** Whatever asks for the time: a clock, however it is reached, or a class that reads the one of the computer. */
    private static final String ASKS = "(?<![\\w.])(?:\\w+(?:\\(\\))?\\.)*(?:clock(?:\\(\\))?(?:\\.|::)(?:instant|millis)\\b|(?:Instant|Clock|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|OffsetTime|ZonedDateTime|Year"
            + "|YearMonth|MonthDay)(?:\\.|::)(?:now|system\\w*|tick\\w*)\\b|System(?:\\.|::)currentTimeMillis\\b|Calendar\\.getInstance\\b)|\\bnew Date\\(\\)|\\bcurrentTimeMillis\\(";
    private static final Pattern ASKED = Pattern.compile(ASKS);
    private static final Pattern CLOCK = Pattern.compile("(?<!\\.now\\(|\\.next\\()(?:" + ASKS + ")");

    /** @param count how many texts of SQL, in the areas of cases, or how often a clock is asked */
    private record Use(int count, String why) {}

    private static Map.Entry<String, Use> use(String name, int count, String why) {
        return Map.entry(name, new Use(count, why));
    }

    /** Where SQL asks for the time of the database, and why no case has anything to do with it. */
    private static final Map<String, Use> TECHNICAL = Map.ofEntries(
            use("ai/analyses/AnalysisRepository", 1, "when a model ran, and how much of its day is left"),
            use("ai/analyses/PlanRepository", 1, "when an analysis was planned"),
            use("alerts/AlertHistoryRepository", 2, "how long alerts that ended are kept, and which day's counts of emails are over"),
            use("alerts/FanOutRepository", 2, "up to when people were looked for who joined a case, and how many emails somebody has caused on this day of UTC"),
            use("cases/deadlines/RecalculationRepository", 3, "since when rules are in force, and which nodes are alive"),
            use("emails/EmailRepository", 1, "when an email was held"),
            use("emails/smtp/DeliveryRepository", 1, "when the mail server took an email"),
            use("platform/events/CursorLeaseRepository", 1, "leases"),
            use("platform/events/EventCursor", 1, "how far behind a consumer is"),
            use("platform/events/EventLog", 1, "when an event of a sandbox entered the log"),
            use("platform/idempotency/IdempotencyRepository", 1, "which nodes are alive"),
            use("platform/limits/RateCountsRepository", 1, "rate limits"),
            use("platform/nodes/NodeRepository", 1, "heartbeats"),
            use("platform/queue/QueueItemRepository", 1, "leases and pauses of work queues"),
            use("push/messages/UserMessageRepository", 1, "leases, pauses and expiry of push messages"),
            use("webhooks/DisabledUrlEmailRepository", 1, "when an organization was informed of a URL that fails"),
            use("webhooks/deliveries/DeliveryRepository", 1, "retention and redelivery"),
            use("webhooks/events/FanOutRepository", 1, "when a delivery is due"),
            use("webhooks/sending/QueueRepository", 1, "leases and pauses of deliveries"),
            use("webhooks/sending/TestRepository", 1, "leases of tests"),
            use("webhooks/urls/UrlRepository", 1, "secrets of URLs, and when URLs were disabled"));

    /** Where the areas of cases ask for the time of the platform, and what for. */
    private static final Map<String, Use> OF_THE_PLATFORM = Map.ofEntries(
            use("cases/CasesService", 1, "when a case is created, from which its clock begins; handed to the clock of the case else"),
            use("cases/calendar/FeedService", 2, "which days a calendar feed shows, whose readers live by it"),
            use("cases/deadlines/DeadlinesService", 1, "the audit trail; handed with each deadline to the clock of its case"),
            use("cases/deadlines/DeadlineStorage", 2, "what calendars are told of the time at which a deadline was computed again"),
            use("cases/deadlines/Reminders", 3, "reminders of the cases that run by it"),
            use("cases/definitions/JollydayCalendars", 1, "which years are computed at the start"),
            use("cases/hearings/HearingNotificationRepository", 1, "when an invitation is written, as calendars show it"),
            use("cases/hearings/HearingService", 1, "the audit trail"),
            use("cases/invitations/InvitationNotification", 1, "whether a link can still be used"),
            use("cases/invitations/InvitationService", 1, "how long a link can be used, and how many are sent a day"),
            use("cases/invitations/InvitationWiring", 1, "which links have expired"),
            use("alerts/AlertRepository", 1, "whether a deadline of a case that runs by it is over"),
            use("cases/sandbox/SandboxService", 1, "the audit trail"),
            use("mainapi/docket/SealService", 1, "the audit trail; handed to the clock of the case else"),
            use("mainapi/evidence/EvidenceService", 1, "the audit trail"),
            use("mainapi/export/CaseArchives", 1, "when an archive was made, and which audit lines are recent"),
            use("mainapi/export/ExportAudit", 1, "the audit trail"),
            use("mainapi/files/WatchedBlocks", 2, "how long ago the rights of a reader were asked"),
            use("mainapi/filings/FileService", 1, "the audit trail"),
            use("mainapi/filings/FilingBatches", 1, "the audit trail"),
            use("mainapi/filings/Receipts", 1, "when a receipt was issued"),
            use("mainapi/filings/RedactionService", 1, "the audit trail; handed to the clock of the case else"),
            use("mainapi/live/LiveService", 1, "how long a position in the events is good"),
            use("mainapi/live/LiveStream", 1, "how long a connection is quiet, and when its session ends"),
            use("mainapi/notice/NoticeService", 2, "idempotency keys and what one may send a day; handed to the clock of the case else"),
            use("mainapi/notice/OutboxRepository", 1, "when the emails area refused an email"),
            use("mainapi/notice/ProofService", 1, "when a proof was made"),
            use("mainapi/search/GivingWay", 2, "how long indexing gives way to people who wait"));

    @Test
    void noSqlAsksForTheTimeWhereItDecidesAnythingOfACase() throws IOException {
        assertThat(exactOfCases(uses(MAIN, CaseTimeTest::timesInSql))).as("texts of SQL that are new or gone").isEqualTo(exactOfCases(counts(TECHNICAL)));
    }

    /** In the areas of cases each text is counted. In the others a class is looked at once: its leases and pauses may grow. */
    private static Map<String, Integer> exactOfCases(Map<String, Integer> counts) {
        counts.replaceAll((name, count) -> OF_CASES.contains(name.substring(0, name.indexOf('/'))) ? count : 1);
        return counts;
    }

    private static List<String> timesInSql(String file) {
        return TEXT.matcher(JOINED.matcher(file).replaceAll("")).results()
                .map(text -> text.group(1) == null ? text.group(2) : text.group(1)).filter(text -> TIME_IN_SQL.matcher(text).find()).toList();
    }

    /** The one moves work of former releases to the queue, with its leases. */
    @Test
    void noTableViewOrFunctionOfCasesFillsInATimeOfItsOwn() throws IOException {
        List<String> found = new ArrayList<>();
        for (MigrationFile migration : MigrationFile.all()) {
            migration.statements().stream().filter(statement -> statement.matches("(?s).*\\b(cases|mainapi)(_api)?\\..*") && TIME_IN_SQL.matcher(statement).find())
                    .forEach(statement -> found.add(migration.name().substring(0, 4) + " " + statement.substring(0, Math.min(50, statement.length()))));
        }
        assertThat(found).containsExactly("V031 create function platform.adopt_queue_items(queue_n");
    }

    @Test
    void theAreasOfCasesAskTheClockOfTheCase() throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        for (String area : OF_CASES) {
            found.putAll(uses(MAIN.resolve(area), file -> CLOCK.matcher(file).results().map(MatchResult::group).toList()));
        }
        assertThat(found).as("uses that are new or gone").isEqualTo(counts(OF_THE_PLATFORM));
    }

    /** Calls of the compiled classes, by the class that they stand in: a call that the search does not see is one too many here. */
    @Test
    void theSearchMissesNoCallThatTheClassesMake() throws IOException {
        Map<String, Integer> seen = new TreeMap<>();
        Map<String, Integer> made = new TreeMap<>();
        for (String area : OF_CASES) {
            seen.putAll(uses(MAIN.resolve(area), file -> ASKED.matcher(file).results().map(MatchResult::group).toList()));
            try (Stream<Path> all = Files.walk(CLASSES.resolve(area))) {
                for (Path file : all.filter(one -> one.toString().endsWith(".class")).toList()) {
                    int calls = (int) calls(ClassFile.of().parse(file)).count();
                    if (calls > 0) {
                        made.merge(CLASSES.relativize(file).toString().replaceAll("(\\$.*)?\\.class$", ""), calls, Integer::sum);
                    }
                }
            }
        }
        assertThat(made).isEqualTo(seen).isNotEmpty();
    }

    private static Stream<String> calls(ClassModel type) {
        return type.methods().stream().flatMap(method -> method.code().stream()).flatMap(code -> code.elementStream()).flatMap(element -> switch (element) {
            case InvokeInstruction call -> Stream.of(call.owner().asInternalName() + "." + call.name().stringValue() + call.type().stringValue());
            case InvokeDynamicInstruction made -> made.bootstrapArgs().stream().filter(DirectMethodHandleDesc.class::isInstance).map(DirectMethodHandleDesc.class::cast)
                    .map(handle -> handle.owner().descriptorString().replaceAll("^L|;$", "") + "." + handle.methodName() + handle.lookupDescriptor());
            default -> Stream.empty();
        }).filter(call -> call.matches("java/time/(Clock|InstantSource)\\.(instant|millis|system\\w*|tick\\w*)\\(.*|java/time/\\w+\\.now\\(.*|java/lang/System\\.currentTimeMillis\\(.*"
                + "|java/util/Date\\.<init>\\(\\)V|java/util/Calendar\\.getInstance\\(.*"));
    }

    @Test
    void theSearchFindsWhatItLooksFor() {
        for (String sql : List.of("set at = now()", "where d < CURRENT_TIMESTAMP", "select clock_timestamp ()", "current_date - 7", "pg_catalog.now( )", "\"now\"()", "now /* of all */ (\n)",
                "localtimestamp(3)", "timestamptz 'now'", "' today '::date", "d < 'Tomorrow'", "age(created) > '1 day'", "select xact_start from pg_stat_activity")) {
            assertThat(TIME_IN_SQL.matcher(sql).find()).as(sql).isTrue();
        }
        for (String other : List.of("known", "select now_at", "currently", "not know()", "what is known (now)", "age(one, other)", "average(x)", "page(x)", "interval '1 day'")) {
            assertThat(TIME_IN_SQL.matcher(other).find()).as(other).isFalse();
        }
        assertThat(timesInSql("query(\"select n\" + \"ow()\")")).hasSize(1);
        for (String java : List.of("Timestamps.milliseconds(clock.instant())", "services.clock().instant()", "map(clock::instant)", "this.clock.millis()", "Instant.now()", "LocalDate.now(clock)",
                "java.time.OffsetDateTime.now()", "Year.now()", "ZonedDateTime::now", "System.currentTimeMillis()", "Clock.systemUTC()", "new Date()", "Calendar.getInstance()")) {
            assertThat(CLOCK.matcher(java).find()).as(java).isTrue();
        }
        for (String java : List.of("of.clock().now(clock.instant())", "of.clock().next(services.clock().instant())", "clock.instants()", "o.clock().now(at)", "new Date(at)")) {
            assertThat(CLOCK.matcher(java).find()).as(java).isFalse();
        }
    }

    private static Map<String, Integer> counts(Map<String, Use> named) {
        return named.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().count, Integer::sum, TreeMap::new));
    }

    private interface Looking {
        List<String> in(String file);
    }

    /** How often something is found in the files below a folder, by their paths below that of the code, without their ending. */
    private static Map<String, Integer> uses(Path folder, Looking looking) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            Map<String, Integer> found = new TreeMap<>();
            for (Path file : all.filter(one -> one.toString().endsWith(".java")).toList()) {
                int count = looking.in(COMMENT.matcher(Files.readString(file)).replaceAll("")).size();
                if (count > 0) {
                    found.put(MAIN.relativize(file).toString().replace(".java", ""), count);
                }
            }
            return found;
        }
    }
}
