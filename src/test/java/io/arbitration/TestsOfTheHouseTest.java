package io.arbitration;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What tests do not do. */
@AnalyzeClasses(packages = "io.arbitration", importOptions = ImportOption.OnlyIncludeTests.class)
class TestsOfTheHouseTest {

    /** {@link Await} is where time passes; {@link Stalls} looks at the machine once a second. */
    @ArchTest
    static final ArchRule TESTS_AWAIT_CONDITIONS_AND_DO_NOT_SLEEP = noClasses()
            .that().doNotBelongToAnyOf(Await.class, Stalls.class)
            .and().resideOutsideOfPackage("io.arbitration.command.bench..")
            .should().callMethodWhere(target(nameMatching("sleep|parkNanos|parkUntil|onSpinWait"))
                    .and(target(owner(assignableTo(Thread.class).or(assignableTo(TimeUnit.class)).or(assignableTo(LockSupport.class))))));

    /** Where a process is killed at any moment or stopped for a while, a server answers late or a sender keeps a pace, time is what the test is about. */
    @ArchTest
    static final ArchRule TIME_PASSES_ONLY_WHERE_IT_IS_THE_SUBJECT = noClasses()
            .that().haveNameNotMatching(".*\\.(AwaitTest|AlertsCrashIT|PushCrashIT|WebhooksCrashIT|BoundsIT|FailoverIT|FaultsIT|FloodsIT|NodesIT|SilentDatabaseIT|chaos\\.(ChaosIT|Client))(\\$.*)?")
            .should().callMethod(Await.class, "elapsed", Duration.class);

    /** So they start no Vert.x and take no time. */
    @ArchTest
    static final ArchRule TESTS_OF_THE_RULES_NEED_THE_RULES_ALONE = noClasses().that().resideInAPackage("io.arbitration.domain..")
            .should().dependOnClassesThat().resideInAnyPackage("io.vertx..", "io.arbitration.platform..", "java.net.http..", "java.sql..");

    @ArchTest
    static final ArchRule TESTS_USE_THE_REAL_THING = noClasses().should().dependOnClassesThat()
            .resideInAnyPackage("org.mockito..", "org.easymock..", "org.powermock..");
}
