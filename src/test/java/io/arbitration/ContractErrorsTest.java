package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.answer.ProblemDetails;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The errors that the contracts show are those that the code gives: same status, same code, same string, and none that the code of the
 * operation cannot give. That an operation gives no other is looked at while all other tests run ({@link WatchOfTheRun}).
 */
class ContractErrorsTest {

    /** Given for whatever a body breaks; its string names the field. */
    private static final String INVALID_REQUEST = "request.invalid";
    private static final Pattern OF_A_FIELD = Pattern.compile("[A-Za-z][\\w/-]*: .+");
    private static final String MULTIPART = "multipart/form-data";
    private static final String OTHER = "default";
    /** Neither read nor write the database. */
    private static final Set<String> WITHOUT_DATABASE = Set.of("viewWebhooksWelcome", "showWebPushDemo", "showWebPushDemoStyle", "showWebPushDemoScript", "showWebPushDemoServiceWorker", "viewOpenIdConfiguration",
            "listDemoPublicKeys", "authorizeInDemo", "createDemoIdToken", "issueDemoTokens");

    /** Their handlers leave the sending, and with it the ranges, to the pipeline. */
    private static final Set<String> SENT_AS_FILES = Set.of("downloadFilingFile", "downloadEvidenceUpload", "proveNotice");

    /**
     * An error as an operation of a contract shows it.
     *
     * @param path with the method and the prefix of the area
     */
    record Shown(String contract, String operation, String path, int status, String code, String text) {

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

    /** An answer of an operation that is an error. */
    private record Answer(ShippedContracts.Operation of, String status, JsonNode response) {

        String id() {
            return of.id();
        }

        boolean isOAuth() {
            return of.node().path("x-error-format").asText().equals("oauth");
        }

        /** Of the usual media types: the examples of each code. */
        Map<String, List<JsonNode>> examples() {
            Map<String, List<JsonNode>> examples = new TreeMap<>();
            response.path("content").forEach(content -> content.path("examples").properties()
                    .forEach(example -> examples.computeIfAbsent(example.getKey(), code -> new ArrayList<>()).add(example.getValue().path("value"))));
            return examples;
        }

        /** What is refused before any operation is reached has the examples alone: its header may have any code. */
        Set<String> codes() {
            Set<String> codes = status.equals(OTHER) ? new TreeSet<>(examples().keySet()) : new TreeSet<>();
            response.path("headers").path("Error-Code").path("schema").path("x-extensible-enum").forEach(code -> codes.add(code.asText()));
            return codes;
        }

        @Override
        public String toString() {
            return "%s %s %s".formatted(of.file(), id(), status);
        }
    }

    private static List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        ShippedContracts.operations().forEach(operation -> operation.node().path("responses").properties().stream()
                .filter(response -> response.getKey().equals(OTHER) || response.getKey().compareTo("400") >= 0)
                .forEach(response -> answers.add(new Answer(operation, response.getKey(), operation.resolved(response.getValue())))));
        return answers;
    }

    static List<Shown> shown() {
        List<Shown> all = new ArrayList<>();
        for (Answer answer : answers()) {
            answer.examples().forEach((code, examples) -> examples.forEach(example -> all.add(new Shown(answer.of.file(), answer.id(),
                    answer.of.method().toUpperCase(Locale.ROOT) + " " + answer.of.path(), answer.status.equals(OTHER) ? status(code) : Integer.parseInt(answer.status), code,
                    answer.isOAuth() && example.isObject() ? example.path("error_description").asText() : example.asText()))));
        }
        return all;
    }

    private static int status(String code) {
        return errors().stream().filter(error -> error.code().equals(code)).findFirst().orElseThrow().status();
    }

    @Test
    void everyErrorOfTheContractsIsOneThatTheCodeGives() {
        List<ApiError> errors = errors();
        List<Shown> foreign = shown().stream().distinct()
                .filter(shown -> shown.code.equals(INVALID_REQUEST) ? shown.status != 400 || !OF_A_FIELD.matcher(shown.text).matches()
                        : errors.stream().noneMatch(shown::isOf))
                .toList();
        assertThat(foreign).isEmpty();
    }

    /** What a body breaks is told in too many ways to show them all. */
    @Test
    void everyErrorOfTheCodeIsShownByAContract() {
        List<Shown> shown = shown();
        assertThat(errors().stream().filter(error -> !error.code().startsWith("request.")).filter(error -> shown.stream().noneMatch(one -> one.isOf(error)))
                .map(error -> "%s %d %s".formatted(error.code(), error.status(), error.text())).toList()).isEmpty();
    }

    @Test
    void anErrorCodeHasOneStatusEverywhere() {
        var statuses = errors().stream().collect(Collectors.groupingBy(ApiError::code, Collectors.mapping(ApiError::status, Collectors.toSet())));
        assertThat(statuses).allSatisfy((code, all) -> assertThat(all).as(code).hasSize(1));
    }

    @Test
    void theHeaderOfEachAnswerNamesItsCodesAndEachHasAnExample() {
        assertThat(answers()).hasSizeGreaterThan(1000).allSatisfy(answer -> {
            assertThat(answer.codes()).as(answer.toString()).isNotEmpty().isEqualTo(answer.examples().keySet());
            assertThat(answer.status.equals(OTHER)).as(answer.toString())
                    .isEqualTo(answer.response.path("headers").path("Error-Code").path("schema").has("$ref"));
            assertThat(answer.response.path("headers").path("Error-Code").path("required").asBoolean()).as(answer.toString()).isTrue();
        });
    }

    @Test
    void everyErrorComesAsProblemDetailsToo() {
        assertThat(answers()).allSatisfy(answer -> assertThat(answer.response.path("content").path(ProblemDetails.CONTENT_TYPE).path("schema").path("$ref").asText())
                .as(answer.toString()).isEqualTo("#/components/schemas/ProblemDetails"));
        for (JsonNode contract : ShippedContracts.documents().values()) {
            JsonNode schema = contract.path("components").path("schemas").path("ProblemDetails");
            JsonObject example = new JsonObject(schema.path("examples").path(0).toString());
            assertThat(new JsonObject(ProblemDetails.of(Refusal.badRequest(example.getString("detail")), example.getString("requestID")))).isEqualTo(example);
            Set<String> described = new HashSet<>();
            schema.path("properties").properties().forEach(property -> described.add(property.getKey()));
            assertThat(example.fieldNames()).isEqualTo(described);
        }
    }

    @Test
    void anErrorOfOAuthHasTheNameOfItsStandard() {
        List<Answer> ofOAuth = answers().stream().filter(Answer::isOAuth).filter(answer -> !answer.status.equals(OTHER)).toList();
        assertThat(ofOAuth).hasSizeGreaterThan(10).allSatisfy(answer -> answer.examples().forEach((code, examples) -> examples.forEach(example ->
                assertThat(example.path("error").asText()).as(answer.toString())
                        .isEqualTo(OAuthError.nameOf(new Refusal(Integer.parseInt(answer.status), code, ""))))));
    }

    @Test
    void everyContractAndTheDocumentForGeneratorsKnowEveryCode() throws IOException {
        Set<String> codes = errors().stream().map(ApiError::code).collect(Collectors.toCollection(TreeSet::new));
        List<JsonNode> documents = new ArrayList<>(ShippedContracts.documents().values());
        documents.add(new YAMLMapper().readTree(Platform.contract()));
        for (JsonNode document : documents) {
            List<String> listed = new ArrayList<>();
            document.path("components").path("schemas").path("ErrorCode").path("enum").forEach(code -> listed.add(code.asText()));
            assertThat(listed).as(document.path("info").path("title").asText()).containsExactlyElementsOf(codes);
        }
    }

    @Test
    void everyOperationShowsWhatThePipelineGivesItsLike() {
        Map<String, Set<String>> shown = new TreeMap<>();
        Map<String, Answer> any = new TreeMap<>();
        for (Answer answer : answers()) {
            String name = answer.of.file() + " " + answer.id();
            shown.computeIfAbsent(name, none -> new TreeSet<>()).addAll(answer.codes());
            any.put(name, answer);
        }
        Set<String> ofThePipeline = new TreeSet<>();
        any.values().forEach(answer -> ofThePipeline.addAll(ofThePipeline(answer)));
        any.forEach((name, answer) -> {
            Set<String> expected = ofThePipeline(answer);
            assertThat(shown.get(name)).as(name).containsAll(expected);
            // These are given by handlers, too.
            Set<String> others = new TreeSet<>(ofThePipeline);
            others.removeAll(expected);
            others.removeAll(Set.of(INVALID_REQUEST, "permission.required", "overloaded", "database.unavailable"));
            assertThat(shown.get(name)).as(name).doesNotContainAnyElementsOf(others);
        });
    }

    private static Set<String> ofThePipeline(Answer answer) {
        JsonNode operation = answer.of.node();
        Set<String> codes = new TreeSet<>(Set.of("rate.limited", "internal", "node.out-of-service", "request.malformed", "path.unknown", "method.not-allowed",
                "address.too-long", "headers.too-large"));
        Set<String> parameters = new HashSet<>();
        operation.path("parameters").forEach(parameter -> parameters.add(answer.of.resolved(parameter).path("name").asText()));
        boolean bearer = operation.path("security").path(0).has("bearer");
        boolean idempotent = parameters.contains("Idempotency-Key");
        if (bearer) {
            codes.add("token.invalid");
            codes.add("session.another-user");
        }
        if (bearer && answer.of.method().equals("post")) {
            codes.add("origin.not-allowed");
        }
        if (!operation.path("security").path(0).path("bearer").isEmpty()) {
            codes.add("permission.required");
        }
        if (idempotent) {
            codes.addAll(Set.of(INVALID_REQUEST, "idempotency.in-flight", "idempotency.answer-lost", "idempotency.key-reused"));
        }
        if (!WITHOUT_DATABASE.contains(answer.id())) {
            codes.addAll(Set.of("database.unavailable", "overloaded"));
        }
        JsonNode content = answer.of.resolved(operation.path("requestBody")).path("content");
        if (!content.isEmpty()) {
            codes.addAll(Set.of(INVALID_REQUEST, "body.too-slow", "content-type.unsupported", "content-encoding.unsupported"));
            codes.addAll(content.has(MULTIPART) ? Set.of("request.broken-off", "file.too-large") : Set.of("body.too-large", "bodies.share", "overloaded"));
        }
        return codes;
    }

    @Test
    void noOperationShowsAnErrorThatItsCodeCannotGive() {
        Map<String, Set<ApiError>> reachable = ReachableErrors.byOperation(errors(), answers().stream().map(Answer::id).collect(Collectors.toSet()));
        Set<String> impossible = new TreeSet<>();
        for (Answer answer : answers()) {
            Set<String> possible = reachable.get(answer.id()).stream().map(ApiError::code).collect(Collectors.toSet());
            possible.addAll(ofThePipeline(answer));
            if (SENT_AS_FILES.contains(answer.id())) {
                possible.add("range.not-satisfiable");
            }
            answer.codes().stream().filter(code -> !code.equals(INVALID_REQUEST)).filter(code -> !possible.contains(code)).forEach(code -> impossible.add(answer.id() + " " + code));
        }
        assertThat(impossible).isEmpty();
    }

    private static Pattern pattern(String text) {
        return Pattern.compile(Stream.of(text.split("%[sd]", -1)).map(Pattern::quote).collect(Collectors.joining(".+")), Pattern.DOTALL);
    }
}
