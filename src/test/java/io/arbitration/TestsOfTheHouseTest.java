package io.arbitration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What tests do not do. */
@AnalyzeClasses(packages = "io.arbitration", importOptions = ImportOption.OnlyIncludeTests.class)
class TestsOfTheHouseTest {

    @ArchTest
    static final ArchRule TESTS_AWAIT_CONDITIONS_AND_DO_NOT_SLEEP = noClasses()
            .should().callMethod(Thread.class, "sleep", long.class).orShould().callMethod(Thread.class, "sleep", java.time.Duration.class);

    @ArchTest
    static final ArchRule TESTS_USE_THE_REAL_THING = noClasses().should().dependOnClassesThat()
            .resideInAnyPackage("org.mockito..", "org.easymock..", "org.powermock..");
}
