package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The web console in Chromium on this machine: what it loads, how soon a docket is there, and how long its tasks are. */
@Command(name = "console", description = "The web console in Chromium: bytes, times from click to docket, long tasks.", mixinStandardHelpOptions = true)
final class ConsoleBench implements Callable<Integer> {

    private static final String EMAIL = "clara@console.example";
    private static final int FIRST_KILOBYTES = 100;
    private static final int SCREEN_KILOBYTES = 30;
    private static final int DOCKET_MILLIS = 150;
    private static final int START_TASK_MILLIS = 100;
    private static final int SCROLL_TASK_MILLIS = 50;
    private static final int SLOW_DOWN = 4;
    private static final int WHEEL_PIXELS = 1500;
    private static final int FILLED_PER_SECOND = 800;
    private static final int WRITERS = 32;

    @Mixin
    private BenchOptions options;

    @Option(names = "--clicks", defaultValue = "50", description = "Clicks on cases (${DEFAULT-VALUE}).")
    private int clicks;

    @Option(names = "--cases", defaultValue = "8", description = "Cases that are clicked, in turn (${DEFAULT-VALUE}).")
    private int caseCount;

    @Option(names = "--entries", defaultValue = "40", description = "Entries of each (${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--long", defaultValue = "5000", description = "Entries of the long docket (${DEFAULT-VALUE}).")
    private int longEntries;

    @Option(names = "--part", paramLabel = "PART", defaultValue = "bytes,clicks,start,docket", split = ",", description = "What to measure, of: ${COMPLETION-CANDIDATES} (all).")
    private Set<Part> parts;

    private enum Part { bytes, clicks, start, docket }

    @Override
    public Integer call() {
        Path browser = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")))
                .orElseThrow(() -> new BenchFailed("there is no Chromium (Debian: apt install chromium-headless-shell)"));
        int port = ServerProcess.freePort();
        // Browsers sign in at the provider of the demo.
        Map<String, String> settings = Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", String.valueOf(port), "ACP_HTTP_PUBLIC_URL", "http://127.0.0.1:" + port);
        Vertx vertx = Vertx.vertx();
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(settings);
                BenchPeople people = new BenchPeople(server.address(), site);
                BenchDatabase database = BenchDatabase.open(site.database())) {
            Chromium chromium = Chromium.launch(vertx, browser, List.of(), Duration.ofSeconds(20)).toCompletionStage().toCompletableFuture().join();
            try {
                measure(chromium, server, people, database);
            } finally {
                chromium.close().toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        }
        return 0;
    }

    private static BenchPage page(Chromium chromium, URI origin) {
        return new BenchPage(chromium.open().toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join(), origin);
    }

    private static void signIn(BenchPage page) {
        page.go("/auth/login/demo?returnTo=/console&first_name=Clara&last_name=Claimant&login_hint=" + EMAIL);
        page.awaitTrue("document.querySelector('acp-day h1') !== null");
    }

    private void measure(Chromium chromium, ServerProcess server, BenchPeople people, BenchDatabase database) {
        BenchPage page = page(chromium, server.address());
        signIn(page);
        String reader = (String) page.evaluate("fetch('/auth/users/me', {method: 'POST'}).then(answer => answer.json()).then(me => me.id)");
        int many = options.quick ? 2 : caseCount;
        int each = options.quick ? 5 : entries;
        int most = options.quick ? 120 : longEntries;
        Report.progress("preparing %d cases of %d entries%s".formatted(many, each, parts.contains(Part.docket) ? " and one of " + most : ""));
        List<OpenCase> cases = people.openCases(many + 1, List.of(people.claimant(0)), List.of(people.signIn("maya@bench.example", "Maya", "Manager")));
        cases.forEach(open -> join(people, open, reader));
        FilingPool pool = FilingPool.of(people, database, cases);
        OpenCase large = cases.getLast();
        List<OpenCase> small = cases.subList(0, many);
        fill(server, pool, small, each);
        if (parts.contains(Part.bytes)) {
            bytes(page, small.getFirst().id());
        }
        if (parts.contains(Part.clicks)) {
            clicks(page, small);
        }
        if (parts.contains(Part.start)) {
            start(chromium, server.address(), small.getFirst().id());
        }
        if (parts.contains(Part.docket)) {
            fill(server, pool, List.of(large), most);
            longDocket(page, large.id(), most);
        }
        page.close();
    }

    private static void join(BenchPeople people, OpenCase open, String reader) {
        Person administrator = people.administrator();
        people.post(new Request("/cases/cases/participants/add", administrator.token(), new JsonObject().put("caseID", open.id()).put("userID", reader)
                .put("partyID", "claimant").put("isPrimary", false).encode()));
    }

    private static void fill(ServerProcess server, FilingPool pool, List<OpenCase> cases, int each) {
        List<Request> approvals = new ArrayList<>();
        pool.fresh(cases, "submitted", each).forEach(filing -> approvals.add(BenchPeople.approve(filing.open(), String.valueOf(filing.id()))));
        int perSecond = Math.min(FILLED_PER_SECOND, approvals.size());
        new JvmLoad().paced(server.address(), approvals, WRITERS, perSecond, Duration.ofMillis(1000L * approvals.size() / perSecond)).faultless("filling");
    }

    /** A page is loaded anew for each screen, so that it counts what comes beyond the first load, whatever was looked at before. */
    private void bytes(BenchPage page, String caseId) {
        page.forgetFiles();
        page.takeLoaded();
        Map<String, Long> first = new HashMap<>();
        signIn(page);
        page.awaitQuiet();
        first.putAll(page.takeLoaded());
        // With nobody signed in the same address shows the sign-in.
        page.evaluate("fetch('/auth/logout', {method: 'POST'}).then(answer => answer.status)");
        page.go("/console");
        page.awaitTrue("document.querySelector('acp-sign-in h1') !== null");
        first.putAll(page.takeLoaded());
        signIn(page);
        page.takeLoaded();
        Report.title("Script and style as they come, compressed");
        Report.target("sign-in and my day", kilobytes(first), "≤", FIRST_KILOBYTES, "KB");
        screens(caseId).forEach((name, path) -> {
            page.go("/console" + path);
            page.awaitQuiet();
            Map<String, Long> more = page.takeLoaded();
            more.keySet().removeAll(first.keySet());
            Report.target(name + ", more", kilobytes(more), "≤", SCREEN_KILOBYTES, "KB");
        });
        page.go("/console");
        page.awaitQuiet();
    }

    private static Map<String, String> screens(String caseId) {
        Map<String, String> screens = new LinkedHashMap<>();
        screens.put("cases", "/cases");
        screens.put("search", "/search");
        for (String part : List.of("docket", "filings", "evidence", "dates", "people", "notices", "record", "award")) {
            screens.put("case, " + part, "/cases/%s/%s".formatted(caseId, part));
        }
        screens.put("filing", "/cases/%s/filings/new-letterToTribunal".formatted(caseId));
        screens.put("deliveries", "/deliveries");
        screens.put("account", "/account");
        return screens;
    }

    private static double kilobytes(Map<String, Long> loaded) {
        return loaded.values().stream().mapToLong(Long::longValue).sum() / 1000.0;
    }

    private void clicks(BenchPage page, List<OpenCase> cases) {
        int many = options.quick ? 4 : clicks;
        Report.progress("%d clicks on cases".formatted(many));
        page.go("/console/cases");
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i <= many; i++) {
            String link = "a[href$=\"/cases/%s\"]".formatted(cases.get(i % cases.size()).id());
            page.awaitTrue("document.querySelector(`%s`) !== null".formatted(link));
            page.awaitQuiet();
            millis.add(page.millisFromClickTo(link, ".docket li"));
            page.awaitQuiet();
            page.evaluate("history.back()");
        }
        double first = millis.removeFirst();
        Collections.sort(millis);
        Report.title("From a click on one of %d cases to its docket painted, %d clicks, loopback", cases.size(), many);
        Report.target("p95", millis.get(Math.min(many - 1, (int) (many * 0.95))), "≤", DOCKET_MILLIS, "ms (p50 %.0f, longest %.0f)".formatted(millis.get(many / 2), millis.getLast()));
        Report.line("the very first, which also loads the screen: %.0f ms", first);
    }

    private void start(Chromium chromium, URI origin, String caseId) {
        int rounds = options.rounds();
        Report.progress("starting with a processor that is %d times slower".formatted(SLOW_DOWN));
        BenchPage page = page(chromium, origin);
        page.forgetFiles();
        page.slowDown(SLOW_DOWN);
        double signIn = 0;
        for (int round = 0; round < rounds; round++) {
            page.go("/console");
            page.awaitTrue("document.querySelector('acp-sign-in h1') !== null");
            page.awaitQuiet();
            signIn = Math.max(signIn, page.takeLongestTaskMillis());
        }
        signIn(page);
        double day = longestAtStart(page, "/console", rounds);
        double docket = longestAtStart(page, "/console/cases/" + caseId, rounds);
        page.close();
        Report.title("Longest task at the start, %d starts each, processor %d times slower (0: none took 50 ms)", rounds, SLOW_DOWN);
        Report.target("sign-in", signIn, "≤", START_TASK_MILLIS, "ms");
        Report.target("my day", day, "≤", START_TASK_MILLIS, "ms");
        Report.target("a case with its docket", docket, "≤", START_TASK_MILLIS, "ms");
    }

    private static double longestAtStart(BenchPage page, String path, int rounds) {
        double longest = 0;
        for (int round = 0; round < rounds; round++) {
            page.go(path);
            page.awaitQuiet();
            longest = Math.max(longest, page.takeLongestTaskMillis());
        }
        return longest;
    }

    private void longDocket(BenchPage page, String caseId, int most) {
        Report.progress("a docket of %d entries".formatted(most));
        page.go("/console/cases");
        String link = "a[href$=\"/cases/%s\"]".formatted(caseId);
        page.awaitTrue("document.querySelector(`%s`) !== null".formatted(link));
        page.awaitQuiet();
        page.takeLongestTaskMillis();
        double painted = page.millisFromClickTo(link, ".docket li");
        page.scroll(WHEEL_PIXELS);
        page.awaitTrue("document.querySelectorAll('.docket li').length === " + most);
        double opening = page.takeLongestTaskMillis();
        double longest = 0;
        for (int round = 0; round < options.rounds(); round++) {
            page.scroll(-WHEEL_PIXELS);
            page.scroll(WHEEL_PIXELS);
            longest = Math.max(longest, page.takeLongestTaskMillis());
        }
        Report.title("A docket of %d entries", most);
        Report.line("from the click to its newest entries painted: %.0f ms; longest task until all of it is in the page, scrolling meanwhile: %.0f ms", painted, opening);
        Report.target("longest task while scrolling", longest, "≤", SCROLL_TASK_MILLIS, "ms (0: none took 50)");
    }
}
