package io.arbitration.console;

import static io.arbitration.console.ConsolePage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.DefinitionsCopy;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.SharedInArea;
import io.arbitration.TestFolders;
import io.arbitration.ai.ModelServer;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The console of a running platform, and a browser to use it in: one of each for all tests of this area in a process, made at first use. Without a
 * browser the tests are skipped. When a test ends, its pages may have complained of nothing and sent only what the contracts have; then
 * they are closed.
 */
final class RunningConsole implements BeforeAllCallback, AfterEachCallback {

    private static Shared shared;

    private final List<ConsolePage> pages = new ArrayList<>();

    private static final class Shared {
        private final Path folder;
        private final Map<String, String> settings;
        private final ModelServer model = new ModelServer();
        private final Vertx vertx = Vertx.vertx();
        private final Chromium chromium;
        private RunningPlatform platform;

        Shared(Path browser) throws IOException {
            folder = TestFolders.create("console-");
            // Not the platform that other tests share, because browsers sign in only where the platform knows its own address.
            settings = new HashMap<>(model.settings());
            settings.put("ACP_HTTP_PORT", String.valueOf(FreePort.any()));
            settings.put("ACP_DEFINITIONS_FOLDER", dueOnWorkingDays(folder.resolve("definitions")).toString());
            platform = RunningPlatform.start(folder, settings);
            chromium = await(Chromium.launch(vertx, browser, List.of(), Await.BOUND));
            SharedInArea.closeAfter(Set.of("console"), RunningConsole::end);
        }

        /**
         * The statement of claim is due after 30 days. From a Thursday on, these end at a weekend, so the deadline moves to a day that My day does
         * not show yet, and its explanation is longer. Counted in working days, it is the same on every day on which the tests run.
         */
        private static Path dueOnWorkingDays(Path definitions) {
            return DefinitionsCopy.in(definitions).replace("rule-sets/commercial.yaml", "trigger: caseCreated, days: 30, calendar: calendarDays",
                    "trigger: caseCreated, days: 15, calendar: workingDays").folder();
        }

        private void close() {
            await(chromium.close());
            await(vertx.close());
            platform.close();
            model.close();
        }
    }

    private static synchronized void end() {
        shared.close();
        shared = null;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        start();
    }

    private static synchronized void start() throws IOException {
        if (shared != null) {
            return;
        }
        Optional<Path> browser = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (browser.isEmpty()) {
            System.out.println("skipped: no browser on this machine for the console");
        }
        Assumptions.assumeTrue(browser.isPresent(), "no browser");
        shared = new Shared(browser.get());
    }

    RunningPlatform platform() {
        return shared.platform;
    }

    /** The language model that the platform asks. */
    ModelServer model() {
        return shared.model;
    }

    /** Ends the platform, does something without it, and starts it again at the same address on the same database. */
    void without(Runnable act) {
        shared.platform.close();
        try {
            act.run();
        } finally {
            shared.platform = RunningPlatform.startFromNothing(shared.folder, shared.settings);
        }
    }

    /** A page of nobody. */
    ConsolePage page(int width, String theme) {
        ConsolePage page = new ConsolePage(await(shared.chromium.open()), shared.platform.url());
        page.show(width, 960, theme);
        pages.add(page);
        return page;
    }

    /** Another tab of the browser that this page is in: it shares its session, its storage and its connections. */
    ConsolePage tabBeside(ConsolePage page, String path) {
        String targetId = await(shared.chromium.devTools().call("Target.createTarget", new JsonObject().put("url", "about:blank").put("browserContextId", page.browserContextId()))).getString("targetId");
        ConsolePage tab = new ConsolePage(await(shared.chromium.attach(targetId)), shared.platform.url());
        pages.add(tab);
        tab.go(path);
        return tab;
    }

    /** Closes the tab, as a person does. */
    void close(ConsolePage page) {
        check(page);
        pages.remove(page);
        page.close();
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

    /** That what the page shows keeps nobody from using it, and reaches over no edge of a phone; with pictures of both. */
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

    private static void check(ConsolePage page) {
        assertThat(page.complaints).as("what the browser complained of").isEmpty();
        assertThat(page.requests().stream().map(ContractRequests::trouble).flatMap(Optional::stream)).as("what is in no contract").isEmpty();
        assertThat(page.invalid()).as("requests that the platform refused as invalid").isEmpty();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            pages.forEach(RunningConsole::check);
        } finally {
            pages.forEach(ConsolePage::close);
            pages.clear();
        }
    }
}
