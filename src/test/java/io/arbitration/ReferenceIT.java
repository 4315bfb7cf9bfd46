package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contracts as they are served, all of them in one, and the page that shows them. */
class ReferenceIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final Set<String> METHODS = Set.of("get", "post");
    private static final int TABS_MAX = 300;
    private static final String LINTER = "@redocly/cli@2.77.0";

    static Stream<String> contracts() {
        return Areas.CONTRACTS.stream();
    }

    private static HttpResponse<byte[]> get(String path, String... headers) {
        return PLATFORM.get(path, headers).response();
    }

    private static JsonObject yaml(byte[] text) throws IOException {
        return new JsonObject(new YAMLMapper().readTree(text).toString());
    }

    /** Operations as {@code method path}. */
    private static Set<String> operations(JsonObject document) {
        Set<String> operations = new TreeSet<>();
        String prefix = document.getJsonArray("servers").getJsonObject(0).getString("url").replaceAll("/$", "");
        document.getJsonObject("paths").forEach(path -> ((JsonObject) path.getValue()).fieldNames().stream().filter(METHODS::contains)
                .filter(method -> ((JsonObject) path.getValue()).getJsonObject(method).getBoolean("x-for-clients", true))
                .forEach(method -> operations.add(method + " " + (prefix + path.getKey()).replaceAll("(?<=.)/$", ""))));
        return operations;
    }

    private static void references(Object node, Set<String> found) {
        switch (node) {
            case JsonObject object -> object.forEach(member -> {
                if (member.getKey().equals("$ref")) {
                    found.add((String) member.getValue());
                } else {
                    references(member.getValue(), found);
                }
            });
            case JsonArray array -> array.forEach(item -> references(item, found));
            case null, default -> { }
        }
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void everyContractIsServedAsItIsAndAsJson(String name) throws IOException {
        byte[] source = Files.readAllBytes(Path.of("src/main/resources/openapi", name + ".yaml"));
        HttpResponse<byte[]> served = get("/openapi/" + name + ".yaml");
        assertThat(served.body()).isEqualTo(source);
        assertThat(served.headers().firstValue("Content-Type")).contains("application/yaml");
        HttpResponse<byte[]> json = get("/openapi/" + name + ".json");
        assertThat(new JsonObject(new String(json.body(), StandardCharsets.UTF_8))).isEqualTo(yaml(source));
        HttpResponse<byte[]> again = get("/openapi/" + name + ".json", "If-None-Match", json.headers().firstValue("ETag").orElseThrow());
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "event-bus"})
    void theDescriptionsOfEventsAreServedAsTheyAreAndThePageLeadsToThem(String name) throws IOException {
        HttpResponse<byte[]> served = get("/asyncapi/" + name + ".yaml");
        assertThat(served.body()).isEqualTo(Files.readAllBytes(Path.of("src/main/resources/asyncapi", name + ".yaml")));
        assertThat(served.headers().firstValue("Content-Type")).contains("application/yaml");
        assertThat(new String(get("/docs").body(), StandardCharsets.UTF_8)).contains("href=\"/asyncapi/" + name + ".yaml\"");
    }

    @Test
    void everyErrorHasItsPlaceOnThePageThatProblemDetailsLeadTo() {
        HttpResponse<byte[]> served = get("/docs/errors");
        assertThat(served.statusCode()).isEqualTo(200);
        assertThat(served.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        String page = new String(served.body(), StandardCharsets.UTF_8);
        assertThat(ContractErrorsTest.errors()).isNotEmpty().allSatisfy(error -> assertThat(page).contains("<section id=\"%s\">".formatted(error.code()))
                .contains("%s</a> <span>%d ".formatted(error.code(), error.status())));
        assertThat(page).contains("<dt>case not found</dt>", "<li><code>POST /webhooks/urls/delete</code></li>").doesNotContain("<script");
        JsonObject problem = new JsonObject(new String(get("/cases/cases/view", "Accept", "application/problem+json").body(), StandardCharsets.UTF_8));
        assertThat(problem.getString("type")).isEqualTo("/docs/errors#method.not-allowed");
        HttpResponse<byte[]> again = get("/docs/errors", "If-None-Match", served.headers().firstValue("ETag").orElseThrow());
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(new String(get("/docs").body(), StandardCharsets.UTF_8)).contains("href=\"/docs/errors\"");
    }

    @Test
    void allContractsAreNamedHere() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/openapi"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")).filter(name -> !name.startsWith("demo-")).toList())
                    .containsExactlyInAnyOrderElementsOf(Areas.CONTRACTS);
        }
    }

    @Test
    void theWholeHasEveryOperationOnceAndEverythingThatItRefersTo() throws IOException {
        JsonObject whole = yaml(get("/openapi/platform.yaml").body());
        assertThat(whole).isEqualTo(new JsonObject(new String(get("/openapi/platform.json").body(), StandardCharsets.UTF_8)));
        Set<String> expected = new TreeSet<>();
        for (String name : Areas.CONTRACTS) {
            expected.addAll(operations(yaml(get("/openapi/" + name + ".yaml").body())));
        }
        // A stream never ends: no generated client could return its answer. A page is for browsers.
        assertThat(expected).doesNotContain("get /api/events/stream", "get /push/demo");
        assertThat(operations(whole)).isEqualTo(expected).hasSizeGreaterThan(80);
        Set<String> references = new TreeSet<>();
        references(whole, references);
        assertThat(references).allSatisfy(reference -> {
            String[] steps = reference.split("/");
            assertThat(steps).hasSize(4);
            assertThat(whole.getJsonObject("components").getJsonObject(steps[2]).containsKey(steps[3])).isTrue();
        });
        List<String> ids = new ArrayList<>();
        whole.getJsonObject("paths").forEach(path -> ((JsonObject) path.getValue()).forEach(member -> {
            if (METHODS.contains(member.getKey())) {
                JsonObject operation = (JsonObject) member.getValue();
                ids.add(operation.getString("operationId"));
                assertThat(operation.containsKey("security")).as(path.getKey()).isTrue();
            }
        }));
        assertThat(ids).doesNotHaveDuplicates();
        // Push answers errors as plain text, the other areas as JSON: each keeps its own.
        assertThat(whole.getJsonObject("components").getJsonObject("responses").fieldNames()).contains("PushUnauthorized", "CasesUnauthorized");
    }

    @Test
    void theLinterHasNothingToSay(@TempDir Path folder) throws Exception {
        Optional<Path> node = OtherRuntimes.node(LINTER);
        Assumptions.assumeTrue(node.isPresent(), "no node with the linter");
        Files.writeString(folder.resolve("redocly.yaml"), "extends: [recommended-strict]\ntelemetry: off\n");
        for (String name : Areas.CONTRACTS) {
            yaml(get("/openapi/" + name + ".yaml").body()).getJsonObject("paths").forEach(path -> ((JsonObject) path.getValue()).stream().filter(member -> METHODS.contains(member.getKey()))
                    .forEach(member -> assertThat(((JsonObject) member.getValue()).getJsonObject("responses").fieldNames()).as(name + path.getKey())
                            .anyMatch(status -> status.matches("2..|302"))));
        }
        List<String> command = new ArrayList<>(List.of("node", node.get().resolve("node_modules/@redocly/cli/bin/cli.js").toString(), "lint", "--format=json"));
        for (String name : Stream.concat(contracts(), Stream.of("platform")).toList()) {
            command.add(Files.write(folder.resolve(name + ".yaml"), get("/openapi/" + name + ".yaml").body()).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                .redirectError(folder.resolve("complaints").toFile()).redirectOutput(folder.resolve("found.json").toFile());
        builder.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        Process linter = builder.start();
        assertThat(linter.waitFor(120, TimeUnit.SECONDS)).isTrue();
        try (MappingIterator<JsonNode> perContract = new JsonMapper().readerFor(JsonNode.class).readValues(folder.resolve("found.json").toFile())) {
            List<JsonNode> all = perContract.readAll();
            assertThat(all).hasSize(Areas.CONTRACTS.size() + 1);
            List<String> found = new ArrayList<>();
            all.forEach(one -> one.get("problems").forEach(problem -> found.add(problem.get("ruleId").asText() + " "
                    + problem.get("location").get(0).get("pointer").asText())));
            assertThat(found).as(Files.readString(folder.resolve("complaints"))).isEmpty();
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static void awaitTrue(PageSession page, String condition) {
        Await.until(() -> "%s; the page says %s".formatted(condition, await(page.evaluate("document.body.innerText"))), Await.BOUND,
                () -> Boolean.TRUE.equals(await(page.evaluate(condition))));
    }

    private static void key(PageSession page, String key, int code, String text) {
        JsonObject pressed = new JsonObject().put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
        await(page.call("Input.dispatchKeyEvent", pressed.copy().put("type", text.isEmpty() ? "rawKeyDown" : "keyDown").put("text", text)));
        await(page.call("Input.dispatchKeyEvent", pressed.copy().put("type", "keyUp")));
    }

    /** Goes to the page; milliseconds until all areas are shown there, and, of these, those in which the contracts came. */
    private static String shown(PageSession page) {
        // Away from an earlier visit first, else it would be found shown already.
        await(page.call("Page.navigate", new JsonObject().put("url", "about:blank")));
        awaitTrue(page, "location.href === 'about:blank'");
        await(page.call("Page.navigate", new JsonObject().put("url", PLATFORM.url() + "/docs")));
        awaitTrue(page, "document.documentElement?.dataset.shown === 'true' && document.querySelectorAll('.opblock-tag').length > 0");
        return (String) await(page.evaluate("""
                `${Math.round(performance.now())} (contracts ${Math.round(performance.getEntriesByName(location.origin + '/openapi/platform.json')[0].duration)})`"""));
    }

    /** Presses Tab until what this expression names has the focus, as somebody without a mouse gets there. */
    private static void tabTo(PageSession page, String element) {
        for (int pressed = 0; pressed <= TABS_MAX; pressed++) {
            if (Boolean.TRUE.equals(await(page.evaluate("document.activeElement === " + element)))) {
                return;
            }
            key(page, "Tab", 9, "");
        }
        throw new AssertionError("%d times Tab do not reach %s, but %s".formatted(TABS_MAX, element, await(page.evaluate("document.activeElement.outerHTML"))));
    }

    @Test
    void thePageShowsAllOperationsAndTriesThemBesideItsOwnSignInByKeyboardAlone() throws Exception {
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no browser on this machine for the reference page");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no browser");
        Vertx vertx = Vertx.vertx();
        Chromium chromium = await(Chromium.launch(vertx, binary.get(), List.of(), Await.BOUND));
        try {
            PageSession page = await(chromium.open());
            List<String> complaints = new CopyOnWriteArrayList<>();
            List<String> elsewhere = new CopyOnWriteArrayList<>();
            page.on("Runtime.exceptionThrown", thrown -> complaints.add(thrown.encode()));
            page.on("Log.entryAdded", entry -> complaints.add(entry.encode()));
            page.on("Network.requestWillBeSent", sent -> {
                String url = sent.getJsonObject("request").getString("url");
                if (!url.startsWith(PLATFORM.url()) && !url.startsWith("data:")) {
                    elsewhere.add(url);
                }
            });
            for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                await(page.call(domain + ".enable"));
            }
            await(page.call("Network.setCacheDisabled", new JsonObject().put("cacheDisabled", true)));
            await(page.call("Emulation.setDeviceMetricsOverride",
                    new JsonObject().put("width", 390).put("height", 844).put("deviceScaleFactor", 1).put("mobile", true)));
            // The browser keeps no file between the two.
            System.out.printf("the reference page is shown to its first reader after %s ms, to the next after %s ms%n", shown(page), shown(page));

            assertThat(await(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))).as("fits a phone").isEqualTo(true);
            assertThat(await(page.evaluate("document.documentElement.classList.contains('dark-mode')"))).isEqualTo(false);
            await(page.call("Emulation.setEmulatedMedia", new JsonObject().put("features",
                    new JsonArray().add(new JsonObject().put("name", "prefers-color-scheme").put("value", "dark")))));
            awaitTrue(page, "document.documentElement.classList.contains('dark-mode')");

            awaitTrue(page, "!document.getElementById('sign-in').hidden");
            tabTo(page, "document.getElementById('email')");
            key(page, "Enter", 13, "\r");
            awaitTrue(page, "document.getElementById('signed-in').textContent === 'Signed in as clara@example.org.'");

            // Everything is reached by Tab in turn: the area is opened, its operation, and then it runs with the caller signed in.
            String tag = "document.querySelector('.opblock-tag[data-tag=\"preferences\"]')";
            tabTo(page, tag + ".querySelector('button')");
            key(page, "Enter", 13, "\r");
            String operation = "document.querySelector('[id$=viewAlertPreferences]')";
            awaitTrue(page, operation + " !== null");
            tabTo(page, operation + ".querySelector('button.opblock-summary-control')");
            key(page, "Enter", 13, "\r");
            awaitTrue(page, operation + ".querySelector('button.execute') !== null");
            tabTo(page, operation + ".querySelector('button.execute')");
            key(page, "Enter", 13, "\r");
            awaitTrue(page, operation + ".querySelector('.live-responses-table tbody .response-col_status')?.innerText.trim().startsWith('200') === true");
            assertThat((String) await(page.evaluate(operation + ".querySelector('.live-responses-table').innerText"))).contains("docket_filings");
            assertThat(complaints).isEmpty();
            Files.write(Path.of("target/reference-page.png"), Base64.getDecoder().decode(await(page.call("Page.captureScreenshot")).getString("data")));
            assertThat(elsewhere).as("requests to other hosts").isEmpty();
        } finally {
            await(chromium.close());
            await(vertx.close());
        }
    }
}
