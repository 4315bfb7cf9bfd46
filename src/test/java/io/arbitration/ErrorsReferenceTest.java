package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.answer.ApiError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
        String room = error.getClass().getPackageName().split("\\.")[2];
        return AREAS.getOrDefault(room, room);
    }

    private static String prefix(String contract) {
        String name = contract.replace(".yaml", "");
        return name.equals("identity") ? "auth" : name.equals("main") ? "api" : name;
    }

    /** Operations that show an error: of the error's own area, else of any, then named with theirs. */
    private static String operations(String area, ApiError error, List<ContractErrorsTest.Shown> shown) {
        List<ContractErrorsTest.Shown> all = shown.stream().filter(one -> one.isOf(error)).toList();
        TreeSet<String> names = all.stream().filter(one -> area.equals(prefix(one.contract()))).map(ContractErrorsTest.Shown::operation)
                .collect(Collectors.toCollection(TreeSet::new));
        if (names.isEmpty()) {
            all.forEach(one -> names.add(prefix(one.contract()) + "." + one.operation()));
        }
        return names.size() > OPERATIONS_NAMED_MAX ? names.size() + " operations" : names.stream().map(KeptPage::code).collect(Collectors.joining(", "));
    }

    private static String page() throws IOException {
        List<ContractErrorsTest.Shown> shown = ContractErrorsTest.shown();
        Map<String, List<ApiError>> areas = new TreeMap<>(Comparator.comparing((String area) -> !area.equals("everywhere")).thenComparing(area -> area));
        ContractErrorsTest.errors().forEach(error -> areas.computeIfAbsent(area(error), area -> new ArrayList<>()).add(error));
        StringBuilder page = new StringBuilder("""
                # Errors

                An error is a status, the header `Error-Code` (its code, which stays as it is) and a body: one JSON string, in the area `push`
                plain text. `…` stands for what differs. A body or a parameter that the contract does not allow is 400 `request.invalid`, and the
                string is the field, a colon and what is wrong with it. With 429 and 503 a `Retry-After` says when to try again.

                With `Accept: application/problem+json` the same error comes as problem details (RFC 9457): `type` (`/docs/errors#` and the code),
                `title`, `status`, `detail` (the string), `code`, `field` where it is about one, and `requestID`. A client that names the usual form
                beside it, and not below it, gets the usual form.

                Written from the code and the contracts by `./acp reference`. The operations are those whose contract shows the error.
                """);
        areas.forEach((area, errors) -> {
            page.append("\n## ").append(area).append("\n\n| status | code | text | operations |\n|---|---|---|---|\n");
            errors.stream().filter(error -> !error.text().equals(ANY_FIELD)).sorted(Comparator.comparing(ApiError::status).thenComparing(ApiError::code).thenComparing(ApiError::text))
                    .map(error -> "| %d | %s | %s | %s |%n".formatted(error.status(), KeptPage.code(error.code()),
                            KeptPage.cell(PLACE.matcher(error.text()).replaceAll("…")), operations(area, error, shown)))
                    .distinct().forEach(page::append);
        });
        return page.toString();
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        String page = page();
        assertThat(ContractErrorsTest.errors()).hasSizeGreaterThan(100).allSatisfy(error -> assertThat(page).contains("`" + error.code() + "`"));
        KeptPage.check(PAGE, page);
    }
}
