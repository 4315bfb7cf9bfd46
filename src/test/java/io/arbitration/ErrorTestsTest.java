package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.answer.ApiError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each error that the platform gives is named by a test: by its sentence, its code, or its name in the code. */
class ErrorTestsTest {

    private static final Pattern PLACE = Pattern.compile("%[0-9$,.]*[sd]");
    private static final int TELLING_LENGTH_MIN = 4;
    /** Errors that no test provokes, and why. */
    private static final Map<String, String> WITHOUT_A_TEST = Map.of(
            "CasesError.EXPORT_MOVED", "a change of the case between two statements of an export, several times in a row",
            "NoticeError.HEARING_CHANGED", "a change of the hearing between two statements of its notice",
            "ExportError.BUSY", "four callers whose clients stop reading; the place of one is tested in ExportIT, the class of the bound in BulkheadTest",
            "SearchError.BUSY", "144 searches of 36 callers at once; the class of the bound is tested in BulkheadTest",
            "PagesError.BUSY", "34 pages of 9 callers at once; the class of the bound is tested in BulkheadTest",
            "NoticeError.PROOFS_BUSY", "proofs of many callers at once; the class of the bound is tested in BulkheadTest",
            "SendError.SERVICE_NOT_ALLOWED", "an operator who takes a push service from the allowed ones after browsers have subscribed with it",
            "PaperError.NO_LAYOUT", "a machine whose library of text layout does not load",
            "EmailsError.PICTURES", "a picture of a template that disappears while the node runs");

    private static String name(ApiError error) {
        return error.getClass().getSimpleName() + "." + ((Enum<?>) error).name();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isNamed(ApiError error, String tests) {
        Set<String> pieces = PLACE.splitAsStream(error.text()).map(String::strip).filter(piece -> piece.length() >= TELLING_LENGTH_MIN).collect(Collectors.toSet());
        String standard = error.code().startsWith("oauth.") ? error.code().substring("oauth.".length()).replace('-', '_') : error.code();
        return !pieces.isEmpty() && pieces.stream().allMatch(tests::contains) || tests.contains(name(error))
                || Stream.of(error.code(), standard).anyMatch(code -> Pattern.compile("(?<![\\w.-])" + Pattern.quote(code) + "(?![\\w.-])").matcher(tests).find());
    }

    @Test
    void everyErrorIsNamedByATestOrSaidWhyNot() throws IOException {
        String tests;
        try (Stream<Path> files = Files.walk(Path.of("src/test"))) {
            tests = files.filter(Files::isRegularFile).filter(file -> file.toString().matches(".*\\.(java|json|yaml|ts|js|py|txt)")).filter(file -> !file.endsWith("ErrorTestsTest.java"))
                    .map(ErrorTestsTest::read).collect(Collectors.joining("\n"));
        }
        Set<String> unnamed = ContractErrorsTest.errors().stream().filter(error -> !isNamed(error, tests)).map(ErrorTestsTest::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(ContractErrorsTest.errors()).hasSizeGreaterThan(300);
        assertThat(unnamed).containsExactlyElementsOf(new TreeSet<>(WITHOUT_A_TEST.keySet()));
    }
}
