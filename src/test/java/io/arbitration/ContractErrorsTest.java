package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.arbitration.platform.answer.ApiError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The errors that the contracts show are those that the code gives: same status, same code, same string. */
class ContractErrorsTest {

    private static final Path CONTRACTS = Path.of("src/main/resources/openapi");
    /** Given for whatever a body breaks; its string names the field. */
    private static final String INVALID_REQUEST = "request.invalid";

    /** An error as an operation of a contract shows it. */
    record Shown(String contract, String operation, int status, String code, String text) {

        boolean isOf(ApiError error) {
            return error.code().equals(code) && error.status() == status && pattern(error.text()).matcher(text).matches();
        }
    }

    private static List<ApiError> errors;

    static synchronized List<ApiError> errors() {
        if (errors == null) {
            errors = found();
        }
        return errors;
    }

    private static List<ApiError> found() {
        Path classes = Path.of(URI.create(ApiError.class.getProtectionDomain().getCodeSource().getLocation().toString()));
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString()).filter(name -> name.startsWith("io") && name.endsWith(".class")).sorted()
                    .map(name -> type(name.replace('/', '.').substring(0, name.length() - ".class".length())))
                    .filter(type -> type.isEnum() && ApiError.class.isAssignableFrom(type))
                    .flatMap(type -> Stream.of(type.getEnumConstants())).map(ApiError.class::cast).toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ContractErrorsTest.class.getClassLoader());
        } catch (ClassNotFoundException gone) {
            throw new IllegalStateException(gone);
        }
    }

    static List<Shown> shown() throws IOException {
        List<Shown> all = new ArrayList<>();
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            operation.node().path("responses").properties().forEach(response ->
                    collect(operation, Integer.parseInt(response.getKey()), operation.resolved(response.getValue()), all));
        }
        return all;
    }

    private static void collect(ShippedContracts.Operation operation, int status, JsonNode response, List<Shown> all) {
        if (status >= 400) {
            response.path("content").forEach(content -> content.path("examples").properties().forEach(example ->
                    all.add(new Shown(operation.file(), operation.id(), status, example.getKey(), example.getValue().path("value").asText()))));
        }
    }

    @Test
    void everyErrorOfTheContractsIsOneThatTheCodeGives() throws IOException {
        List<ApiError> errors = errors();
        List<Shown> foreign = shown().stream().distinct()
                .filter(shown -> !shown.code.equals(INVALID_REQUEST))
                .filter(shown -> errors.stream().noneMatch(shown::isOf))
                .toList();
        assertThat(foreign).isEmpty();
    }

    @Test
    void anErrorCodeHasOneStatusEverywhere() {
        var statuses = errors().stream().collect(Collectors.groupingBy(ApiError::code, Collectors.mapping(ApiError::status, Collectors.toSet())));
        assertThat(statuses).allSatisfy((code, all) -> assertThat(all).as(code).hasSize(1));
    }

    private static Pattern pattern(String text) {
        return Pattern.compile(Stream.of(text.split("%[sd]", -1)).map(Pattern::quote).collect(Collectors.joining(".+")), Pattern.DOTALL);
    }
}
