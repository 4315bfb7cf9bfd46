package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.answer.ApiError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference of the errors: each that the code gives, and the operations whose contracts show it. */
class ErrorsReferenceTest {

    private static final Path PAGE = Path.of("docs/reference/errors.md");
    /** What a body breaks is told above, for all. */
    private static final String ANY_FIELD = "%s: %s";
    private static final Pattern PLACE = Pattern.compile("%[sd]");
    private static final Map<String, String> AREAS = Map.of("identity", "auth", "mainapi", "api", "platform", "everywhere");
    /** What is shared by many operations is told once, in the contracts' own words. */
    private static final int OPERATIONS_NAMED_MAX = 12;

    private static String area(ApiError error) {
        String area = error.getClass().getPackageName().split("\\.")[2];
        return AREAS.getOrDefault(area, area);
    }

    private static String prefix(String contract) {
        String name = contract.replace(".yaml", "");
        return name.equals("identity") ? "auth" : name.equals("main") ? "api" : name;
    }

    /** Operations that show an error: of the error's own area, else of any. */
    private static String operations(String area, ApiError error, List<ContractErrorsTest.Shown> shown) {
        List<ContractErrorsTest.Shown> all = shown.stream().filter(one -> one.isOf(error)).toList();
        Set<String> paths = all.stream().filter(one -> area.equals(prefix(one.contract()))).map(ContractErrorsTest.Shown::path).collect(Collectors.toCollection(TreeSet::new));
        if (paths.isEmpty()) {
            all.forEach(one -> paths.add(one.path()));
        }
        return paths.size() > OPERATIONS_NAMED_MAX ? paths.size() + " operations" : paths.stream().map(KeptPage::code).collect(Collectors.joining(", "));
    }

    /** What an operation gives beside what half of all operations give. */
    private static String codes(String path, List<ContractErrorsTest.Shown> shown, Map<String, Long> operationsByCode, long operations) {
        return shown.stream().filter(one -> one.path().equals(path)).map(ContractErrorsTest.Shown::code).distinct()
                .filter(code -> operationsByCode.get(code) * 2 < operations).sorted().map(KeptPage::code).collect(Collectors.joining(", "));
    }

    private static String page() {
        List<ContractErrorsTest.Shown> shown = ContractErrorsTest.shown();
        Map<String, List<ApiError>> areas = new TreeMap<>(Comparator.comparing((String area) -> !area.equals("everywhere")).thenComparing(area -> area));
        ContractErrorsTest.errors().forEach(error -> areas.computeIfAbsent(area(error), area -> new ArrayList<>()).add(error));
        StringBuilder page = new StringBuilder("""
                # Errors

                An error has a status, a code in the header `Error-Code`, and a body with one sentence: a JSON string, in the area `push` plain
                text. The code never changes. `…` replaces variable text. If a body or a parameter breaks the contract, the answer is 400
                `request.invalid`, and the sentence is the field, a colon and the fault. With 429 and 503, `Retry-After` gives the seconds to wait.

                With `Accept: application/problem+json` the same error is sent as problem details (RFC 9457): `type` (`/docs/errors#` and the code),
                `title`, `status`, `detail` (the sentence), `code`, `requestID`, and `field` if the error concerns one. If `Accept` also names the
                usual form with the same or a higher weight, the usual form is sent.

                A running platform serves the same list at `/docs/errors`. A later version may add codes: handle an unknown code by its status.

                `./acp reference` generates this page from the code and the contracts. It lists the operations whose contract declares the error, by
                their external paths. Tests fail if an operation answers an undeclared error, and if a contract declares an error that the code
                cannot give.
                """);
        areas.forEach((area, errors) -> {
            page.append("\n## ").append(area).append("\n\n| status | code | text | operations |\n|---|---|---|---|\n");
            errors.stream().filter(error -> !error.text().equals(ANY_FIELD)).sorted(Comparator.comparing(ApiError::status).thenComparing(ApiError::code).thenComparing(ApiError::text))
                    .map(error -> "| %d | %s | %s | %s |%n".formatted(error.status(), KeptPage.code(error.code()),
                            KeptPage.cell(PLACE.matcher(error.text()).replaceAll("…")), operations(area, error, shown)))
                    .distinct().forEach(page::append);
        });
        Map<String, Long> operationsByCode = shown.stream().collect(Collectors.groupingBy(ContractErrorsTest.Shown::code,
                Collectors.collectingAndThen(Collectors.mapping(ContractErrorsTest.Shown::path, Collectors.toSet()), paths -> (long) paths.size())));
        Set<String> paths = shown.stream().map(ContractErrorsTest.Shown::path).collect(Collectors.toCollection(TreeSet::new));
        page.append("\n## By operation\n\nEach row lists the codes beside those of most operations: ").append(operationsByCode.entrySet().stream()
                .filter(code -> code.getValue() * 2 >= paths.size()).map(code -> KeptPage.code(code.getKey())).sorted().collect(Collectors.joining(", ")))
                .append(".\n\n| operation | codes |\n|---|---|\n");
        paths.forEach(path -> page.append("| %s | %s |%n".formatted(KeptPage.code(path), codes(path, shown, operationsByCode, paths.size()))));
        return page.toString();
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        String page = page();
        assertThat(ContractErrorsTest.errors()).hasSizeGreaterThan(100).allSatisfy(error -> assertThat(page).contains("`" + error.code() + "`"));
        KeptPage.check(PAGE, page);
    }
}
