package io.arbitration;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.Map;

/** Which package may use which, and what no class may use. */
@AnalyzeClasses(packages = "io.arbitration", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] AREAS = {"identity", "cases", "mainapi", "ai", "profiles", "emails", "alerts", "pdfs", "push", "webhooks"};
    /** The export of a case is ordered in cases and made in mainapi, which keeps docket and evidence: nothing else passes between areas. */
    private static final DescribedPredicate<JavaClass> ORDER_OF_AN_EXPORT = DescribedPredicate.describe("the order of an export",
            used -> used.getName().matches("io\\.arbitration\\.cases\\.(CaseExport|ExportOrder)(\\$.*)?"));

    private static String within(String area) {
        return "io.arbitration." + area + "..";
    }

    @ArchTest
    static void areasKnowOnlyThePlatformTheDomainAndThemselves(com.tngtech.archunit.core.domain.JavaClasses classes) {
        for (String area : AREAS) {
            DescribedPredicate<JavaClass> elsewhere = resideInAnyPackage("io.arbitration", "io.arbitration.command..")
                    .or(resideInAnyPackage(Arrays.stream(AREAS).filter(other -> !other.equals(area)).map(ArchitectureTest::within).toArray(String[]::new)));
            noClasses().that().resideInAPackage(within(area)).and().resideOutsideOfPackage(within("mainapi.export"))
                    .should().dependOnClassesThat(elsewhere)
                    .allowEmptyShould(true)
                    .because("areas meet on the event bus, in the event log and in published views, nowhere else")
                    .check(classes);
        }
    }

    @ArchTest
    static final ArchRule EXPORTS_KNOW_NOTHING_OF_CASES_BUT_THEIR_ORDER = noClasses().that().resideInAPackage(within("mainapi.export"))
            .should().dependOnClassesThat(resideInAnyPackage("io.arbitration", within("command"))
                    .or(resideInAnyPackage(Arrays.stream(AREAS).filter(area -> !area.equals("mainapi")).map(ArchitectureTest::within).toArray(String[]::new))
                            .and(DescribedPredicate.not(ORDER_OF_AN_EXPORT))));

    @ArchTest
    static final ArchRule REPOSITORIES_OF_CASES_AND_EVIDENCE_KNOW_NO_HTTP_AND_NO_JSON = noClasses()
            .that().resideInAnyPackage(within("cases"), within("mainapi.evidence"), within("mainapi.export"))
            .and().haveSimpleNameEndingWith("Repository")
            .should().dependOnClassesThat().resideInAnyPackage("io.vertx.core.json..", "io.vertx.core.http..", "io.vertx.ext.web..",
                    within("platform.answer"), within("platform.pipeline"), within("platform.server"));

    @ArchTest
    static final ArchRule REPOSITORIES_OF_WEBHOOKS_PUSH_AND_PROFILES_KNOW_NO_HTTP_AND_NO_JSON = noClasses()
            .that().resideInAnyPackage(within("webhooks"), within("push"), within("profiles"))
            .and().haveSimpleNameEndingWith("Repository")
            .should().dependOnClassesThat().resideInAnyPackage("io.vertx.core.json..", "io.vertx.core.http..", "io.vertx.ext.web..",
                    within("platform.answer"), within("platform.pipeline"), within("platform.server"));

    /** All else is given what it needs, so that its constructor says what that is. */
    @ArchTest
    static final ArchRule ONLY_VERTICLES_AND_WIRING_KNOW_ALL_SERVICES = noClasses()
            .that().resideInAnyPackage(Arrays.stream(AREAS).map(ArchitectureTest::within).toArray(String[]::new))
            .and().haveSimpleNameNotEndingWith("Verticle").and().haveSimpleNameNotEndingWith("Wiring")
            .should().dependOnClassesThat().areAssignableTo(io.arbitration.platform.AreaServices.class);

    @ArchTest
    static final ArchRule THE_PLATFORM_KNOWS_NO_AREA = noClasses().that().resideInAPackage(within("platform"))
            .should().dependOnClassesThat(resideInAnyPackage("io.arbitration..")
                    .and(DescribedPredicate.not(resideInAnyPackage(within("platform"), within("domain")))));

    @ArchTest
    static final ArchRule THE_DOMAIN_KNOWS_ONLY_THE_JDK = classes().that().resideInAPackage(within("domain"))
            .should().onlyDependOnClassesThat().resideInAnyPackage(within("domain"), "java..", "javax..");

    /** Time, randomness and ids are given to the rules: what depends on nothing but its arguments is tested by nothing but arguments. */
    @ArchTest
    static final ArchRule THE_DOMAIN_ASKS_NEITHER_CLOCK_NOR_CHANCE = noClasses().that().resideInAPackage(within("domain"))
            .should().dependOnClassesThat().belongToAnyOf(java.time.Clock.class, java.util.Random.class, java.security.SecureRandom.class,
                    java.util.concurrent.ThreadLocalRandom.class)
            .orShould().callMethod(java.util.UUID.class, "randomUUID")
            .orShould().callMethod(java.time.Instant.class, "now").orShould().callMethod(java.time.LocalDate.class, "now")
            .orShould().callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule THE_DOMAIN_KNOWS_NEITHER_HTTP_NOR_SQL_NOR_FILES = noClasses().that().resideInAPackage(within("domain"))
            .should().dependOnClassesThat().resideInAnyPackage("java.net.http..", "java.sql..", "javax.sql..", "java.nio.file..", "java.util.concurrent..");

    /** Who uses a type that its library does not publish, by the beginning of the name, and why no published one serves. */
    private static final Map<String, String> BEHIND_LIBRARIES = Map.ofEntries(
            Map.entry("platform.answer.UnreadAnswer", "the channel of a client of HTTP/1.1 that does not read, for whose reading Vert.x waits before it closes"),
            Map.entry("platform.archive.BlockPipe", "a promise that is completed on the context of the reader"),
            Map.entry("platform.body.UnreadBody", "the stream of an answer over HTTP/2 that has ended, which Vert.x does not reset any more"),
            Map.entry("platform.browser.Pages", "a context without a verticle, and promises that are completed on the contexts of the callers"),
            Map.entry("platform.cluster.", "TLS between members, which Hazelcast has in its commercial edition only"),
            Map.entry("platform.paper.PaperWorkers", "a promise that is completed on the context of the caller"),
            Map.entry("platform.outbound.DnsNames", "Netty's resolver on an event loop of Vert.x"),
            Map.entry("platform.telemetry.LogContext", "a value that goes with a context"),
            Map.entry("platform.pipeline.Contract", "a contract whose check by the schemas of OpenAPI took a tenth of a start, and is a test's work"),
            Map.entry("platform.request.WorkOwner", "a value that goes with a context"),
            Map.entry("platform.telemetry.OpenTraces", "a context of work that is part of no request"),
            Map.entry("platform.server.Connections", "the streams of a connection of HTTP/2, whose bound Vert.x sets only when the client has acknowledged it"),
            Map.entry("platform.db.SilentConnection", "the socket of a database connection, which the driver gives to nobody before it is made and does not close while the server is silent"));

    private static final DescribedPredicate<JavaClass> LIBRARIES_INTERNALS = DescribedPredicate.describe("internals of libraries",
            type -> type.getPackageName().matches(".+\\.(internal|impl)(\\..*)?") && !type.getPackageName().matches("(java|javax|jdk|sun|io\\.arbitration)\\..*"));

    @ArchTest
    static final ArchRule INTERNALS_OF_LIBRARIES_ARE_USED_WHERE_A_REASON_SAYS_SO = noClasses()
            .that(DescribedPredicate.describe("have no reason to", type -> BEHIND_LIBRARIES.keySet().stream().noneMatch(name -> type.getName().startsWith("io.arbitration." + name))))
            .should().dependOnClassesThat(LIBRARIES_INTERNALS);

    @ArchTest
    static void noReasonToUseInternalsOutlivesTheirUse(com.tngtech.archunit.core.domain.JavaClasses classes) {
        assertThat(BEHIND_LIBRARIES.keySet()).allMatch(name -> classes.stream().filter(type -> type.getName().startsWith("io.arbitration." + name))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream()).anyMatch(used -> LIBRARIES_INTERNALS.test(used.getTargetClass())));
    }

    private static final DescribedPredicate<JavaClass> REPOSITORIES =
            DescribedPredicate.describe("repositories", type -> type.getName().matches("io\\.arbitration\\..*Repository(\\$.*)?"));
    private static final DescribedPredicate<JavaClass> REPOSITORIES_THEMSELVES = simpleNameEndingWith("Repository");

    @ArchTest
    static final ArchRule REPOSITORIES_KNOW_NO_HTTP = noClasses().that(REPOSITORIES)
            .should().dependOnClassesThat(resideInAnyPackage(within("platform.answer"), within("platform.pipeline"), within("platform.request"),
                    within("platform.server"), "io.vertx.ext.web..", "io.vertx.core.http..")
                    // The part of a list that fits a page; nothing of it is HTTP's.
                    .and(DescribedPredicate.not(equivalentTo(io.arbitration.platform.answer.Page.class))))
            .because("what a refusal or an answer looks like is decided above them");

    @ArchTest
    static final ArchRule REPOSITORIES_RETURN_ROWS_AND_RECORDS = methods().that().areDeclaredInClassesThat(REPOSITORIES_THEMSELVES).and().areNotPrivate()
            .should(new ArchCondition<JavaMethod>("return no JSON") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    boolean json = method.getReturnType().getAllInvolvedRawTypes().stream()
                            .anyMatch(type -> type.getName().matches("io\\.vertx\\.core\\.(json\\..*|buffer\\.Buffer)"));
                    events.add(new SimpleConditionEvent(method, !json, method.getFullName() + " returns JSON"));
                }
            })
            .because("how a row is told is decided above them");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_AREAS = slices().matching("io.arbitration.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_THE_PLATFORM = slices().matching("io.arbitration.platform.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_WEBHOOKS = slices().matching("io.arbitration.webhooks.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_PUSH = slices().matching("io.arbitration.push.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_AI = slices().matching("io.arbitration.ai.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_MAINAPI = slices().matching("io.arbitration.mainapi.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_CASES = slices().matching("io.arbitration.cases.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_EMAILS = slices().matching("io.arbitration.emails.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_PDFS = slices().matching("io.arbitration.pdfs.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_THE_DOMAIN = slices().matching("io.arbitration.domain.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_CYCLES_WITHIN_IDENTITY = slices().matching("io.arbitration.identity.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SQL_STANDS_IN_REPOSITORIES = noClasses().that(DescribedPredicate.not(
                    DescribedPredicate.<JavaClass>describe("repositories, and rows that several of them read", type -> type.getName().matches(".*(Repository|Row)(\\$.*)?"))
                            .or(resideInAnyPackage(within("platform.db"), within("platform.events"), within("command")))))
            .should().dependOnClassesThat(resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..", "java.sql..")
                    // A connection may be handed through, so that several repositories share a transaction.
                    .and(DescribedPredicate.not(DescribedPredicate.<JavaClass>describe("connection",
                            type -> type.getName().matches("io\\.vertx\\.sqlclient\\.(SqlConnection|SqlClient)")))))
            .as("no class but a repository speaks SQL")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ROUTING_STANDS_IN_SERVER_AND_PIPELINE = noClasses().that().resideOutsideOfPackages(within("platform.server"), within("platform.pipeline"),
                    within("platform.request"), within("platform.body"), within("platform.files"), within("platform.reference"),
                    within("platform.console"))
            .and(DescribedPredicate.not(simpleNameEndingWith("Handlers").or(simpleNameEndingWith("Verticle"))))
            .should().dependOnClassesThat().resideInAPackage("io.vertx.ext.web..");

    @ArchTest
    static final ArchRule NOTHING_PRINTS_BUT_COMMANDS = noClasses().that().resideOutsideOfPackage(within("command"))
            .should().accessField(System.class, "out").orShould().accessField(System.class, "err")
            .orShould().callMethod(Throwable.class, "printStackTrace");

    @ArchTest
    static final ArchRule ONE_WAY_TO_LOG = noClasses().that(DescribedPredicate.not(
                    DescribedPredicate.<JavaClass>describe("what writes the lines", type -> type.getName().matches(".*telemetry\\.(LogLine|LogAppender|Logs)(\\$.*)?")))).should().dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..", "org.apache.logging..", "ch.qos.logback..");

    @ArchTest
    static final ArchRule NOTHING_SLEEPS = noClasses().that().resideOutsideOfPackage(within("command"))
            // The one that waits for a database before anything else runs.
            .and().doNotHaveFullyQualifiedName("io.arbitration.platform.db.Migrations")
            .should().callMethod(Thread.class, "sleep", long.class).orShould().callMethod(Thread.class, "sleep", java.time.Duration.class);

    @ArchTest
    static final ArchRule CASE_IS_CONVERTED_BY_NO_LANGUAGE_OF_THE_MACHINE = noClasses().should().callMethod(String.class, "toLowerCase").orShould().callMethod(String.class, "toUpperCase")
            .because("in Turkish the lower case of I has no dot: Locale.ROOT is given");

    @ArchTest
    static final ArchRule NAMES_SAY_WHAT_THINGS_ARE = noClasses().should().haveSimpleNameEndingWith("Manager")
            .orShould().haveSimpleNameEndingWith("Helper").orShould().haveSimpleNameEndingWith("Util").orShould().haveSimpleNameEndingWith("Utils")
            .orShould().haveSimpleNameEndingWith("Impl").orShould().haveSimpleNameEndingWith("Data").orShould().haveSimpleNameEndingWith("Info");

    @ArchTest
    static final ArchRule ERRORS_OF_AREAS_ARE_ENUMS = classes().that().implement(io.arbitration.platform.answer.ApiError.class).should().beEnums()
            .andShould().haveSimpleNameEndingWith("Error");

    @ArchTest
    static final ArchRule REFUSALS_ARE_MADE_FROM_ERRORS = noClasses().that().resideOutsideOfPackages(within("platform.answer"), within("platform.idempotency"))
            .should().callConstructor(io.arbitration.platform.answer.Refusal.class, int.class, String.class, String.class)
            .because("the reference of the errors is written from the enums");

    @ArchTest
    static final ArchRule RANDOMNESS_IS_HANDED_IN = noClasses().that().resideOutsideOfPackages(within("platform"), within("command"))
            .and().doNotHaveFullyQualifiedName("io.arbitration.NodeServices")
            .should().callConstructor(java.util.Random.class).orShould().callMethod(Math.class, "random")
            .orShould().callConstructor(java.security.SecureRandom.class);

    @ArchTest
    static final ArchRule TIME_IS_HANDED_IN = noClasses().that().resideOutsideOfPackages(within("platform"), within("command"))
            .and().doNotHaveFullyQualifiedName("io.arbitration.NodeServices")
            .should().callMethod(java.time.Instant.class, "now").orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(java.time.LocalDate.class, "now").orShould().callMethod(java.time.Clock.class, "systemUTC");

    /** With {@link HarmlessCodeTest}: nothing that a caller writes can become code. */
    @ArchTest
    static final ArchRule NOTHING_IS_EVALUATED = noClasses().should().dependOnClassesThat(resideInAnyPackage("javax.script..", "javax.tools..", "org.graalvm..", "groovy..",
                    "org.mvel2..", "ognl..", "org.springframework.expression.."))
            .orShould().callMethod("io.pebbletemplates.pebble.PebbleEngine", "getLiteralTemplate", String.class.getName())
            .because("templates come from files of the operator, by their names, and there is no other language to write in");

    @ArchTest
    static final ArchRule CRYPTOGRAPHY_IS_THE_JDKS_TINKS_AND_NIMBUS = noClasses().should()
            .dependOnClassesThat(resideInAnyPackage("org.bouncycastle..", "org.apache.commons.codec..", "io.netty.internal.tcnative..", "org.apache.shiro..", "org.jasypt.."))
            .because("these three are checked by many; each further one would be another to follow");
}
