package io.arbitration.console;

import static io.arbitration.console.ConsolePage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.ai.ModelServer;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;

/**
 * The platform and the browser that the tests of the console share; the platform has a model, which says what a test wants. Started at
 * first use and stopped with the process.
 */
record RunningConsole(RunningPlatform platform, Chromium chromium, ModelServer model) {

    private static RunningConsole shared;

    /** Tests are skipped, with the reason printed, where no browser is. */
    static synchronized RunningConsole shared() {
        if (shared == null) {
            Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
            if (binary.isEmpty()) {
                System.out.println("skipped: no browser on this machine for the console");
            }
            Assumptions.assumeTrue(binary.isPresent(), "no browser");
            shared = start(binary.get());
        }
        return shared;
    }

    private static RunningConsole start(Path binary) {
        try {
            ModelServer model = new ModelServer();
            Map<String, String> settings = new HashMap<>(model.settings());
            // Browsers sign in only where the platform knows its own address.
            settings.put("ACP_HTTP_PORT", String.valueOf(FreePort.any()));
            RunningPlatform platform = RunningPlatform.start(Files.createTempDirectory(Path.of("target"), "data-console-"), settings);
            Vertx vertx = Vertx.vertx();
            Chromium chromium = await(Chromium.launch(vertx, binary, List.of(), Duration.ofSeconds(20)));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                await(chromium.close());
                await(vertx.close());
                platform.close();
                model.close();
            }));
            return new RunningConsole(platform, chromium, model);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    ConsolePage page(int width, String theme) {
        ConsolePage page = new ConsolePage(await(chromium.open()), platform.url());
        page.show(width, 960, theme);
        return page;
    }

    /** A page of somebody who is signed in already. */
    ConsolePage signedIn(Person person, String path, String theme) {
        ConsolePage page = page(1440, theme);
        page.go("/auth/login/demo?returnTo=%s&login_hint=%s".formatted(URLEncoder.encode(path, StandardCharsets.UTF_8), person.email()));
        return page;
    }

    static JsonObject done(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    /** Every operation of the contracts as {@code method path}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        JsonObject paths = platform.get("/openapi/platform.json").object().getJsonObject("paths");
        paths.forEach(path -> ((JsonObject) path.getValue()).fieldNames().forEach(method -> operations.add(method + " " + path.getKey())));
        return operations;
    }

    /** That nobody is kept from using what the page shows, and that it reaches over no edge on a phone; with pictures of both. */
    static void look(ConsolePage page, String screen, String theme) throws IOException {
        assertThat(page.barriers()).as("%s, %s".formatted(screen, theme)).isEqualTo(new JsonArray());
        page.picture("console-%s-%s-1440".formatted(screen, theme));
        for (int width : new int[] {390, 320}) {
            page.show(width, 844, theme);
            page.awaitTrue("document.documentElement.scrollWidth <= innerWidth");
        }
        page.picture("console-%s-%s-320".formatted(screen, theme));
        page.show(1440, 960, theme);
    }
}
