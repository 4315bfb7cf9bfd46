package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Registering, listing and deleting callback URLs. */
class UrlsIT {

    private static RunningPlatform platform;
    private static Hooked hooked;

    @BeforeAll
    static void open() {
        platform = RunningPlatform.shared();
        hooked = Hooked.on(platform);
    }

    private static String freshUrl() {
        return "http://127.0.0.1:4999/" + UUID.randomUUID();
    }

    private static JsonObject url(String url) {
        return new JsonObject().put("url", url);
    }

    @Test
    void aUrlIsRegisteredWithItsSecretShownOnceAndListedExactly() {
        Hooked own = Hooked.on(platform);
        String url = freshUrl();
        JsonObject created = Hooked.ok(own.post("/urls/create", url(url))).object();
        assertThat(created.fieldNames()).containsExactlyInAnyOrder("created", "createdBy", "url", "events", "secret");
        assertThat(created.getString("secret")).matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThat(created.getJsonArray("events")).isEqualTo(new JsonArray().add("docket_filing"));
        assertThat(created.getString("createdBy")).isEqualTo(own.administrator().id());
        for (Person person : List.of(own.administrator(), own.member())) {
            Answer listed = Hooked.ok(platform.post("/webhooks/urls/list", (JsonObject) null, person.token()));
            assertThat(listed.object()).isEqualTo(new JsonObject().put("urls", new JsonArray().add(new JsonObject()
                    .put("created", created.getString("created")).put("createdBy", own.administrator().id()).put("url", url))));
        }
        assertThat(platform.rows("select encode(secret, 'escape') from webhooks.urls where url = ?", url).getFirst().getFirst())
                .doesNotContain(created.getString("secret").substring(6));
    }

    @Test
    void aUrlRegisteredTwiceIsTheSameRecordWithoutItsSecret() {
        String url = freshUrl();
        JsonObject first = Hooked.ok(hooked.post("/urls/create", url(url))).object();
        JsonObject second = Hooked.ok(hooked.post("/urls/create", url(url))).object();
        first.remove("secret");
        assertThat(second).isEqualTo(first);
        JsonObject third = Hooked.ok(hooked.post("/urls/create", url(url).put("events", new JsonArray().add("case_closed")))).object();
        assertThat(third).isEqualTo(first.copy().put("events", new JsonArray().add("case_closed")));
    }

    @Test
    void anOrganizationRegistersAtMostTenUrlsEvenAtOnce() {
        Hooked own = Hooked.on(platform);
        List<Integer> statuses = IntStream.range(0, 14).parallel()
                .mapToObj(i -> own.post("/urls/create", url(freshUrl())).status()).toList();
        assertThat(statuses.stream().filter(status -> status == 200)).hasSize(10);
        Answer refused = own.post("/urls/create", url(freshUrl()));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.sentence()).isEqualTo("An organization can register at most 10 URLs.");
        assertThat(refused.header("Error-Code")).isEqualTo("webhook-url.too-many");
    }

    @Test
    void aDeletedUrlIsGoneAndMayBeRegisteredAgainWithAnotherSecret() {
        String url = freshUrl();
        String secret = hooked.register(url);
        assertThat(Hooked.ok(hooked.post("/urls/delete", url(url))).sentence()).isEqualTo("Webhook URL deleted.");
        assertThat(hooked.post("/urls/delete", url(url)).status()).isEqualTo(404);
        assertThat(hooked.post("/urls/view", url(url)).sentence()).isEqualTo("webhook URL not found");
        assertThat(platform.rows("select count(*) from webhooks.urls where url = ? and deleted_at is not null and secret = ''", url))
                .containsExactly(List.of("1"));
        assertThat(hooked.register(url)).isNotNull().isNotEqualTo(secret);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/urls/create", "/urls/delete", "/urls/enable", "/urls/disable", "/urls/test", "/urls/rotate-secret", "/deliveries/redeliver"})
    void onlyAdministratorsOfTheOrganizationChangeAnything(String path) {
        JsonObject body = url(freshUrl());
        Answer member = platform.post("/webhooks" + path, body, hooked.member().token());
        assertThat(member.status()).isEqualTo(403);
        assertThat(member.sentence()).isEqualTo("Only administrators of your organization can do this.");
        Person stranger = platform.signIn("solo-" + UUID.randomUUID() + "@example.org", "Solo", "Nobody");
        Answer alone = platform.post("/webhooks" + path, body, stranger.token());
        assertThat(alone.status()).isEqualTo(403);
        assertThat(alone.sentence()).isEqualTo("You belong to no organization, and webhooks belong to organizations.");
        assertThat(platform.post("/webhooks" + path, body, null).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/urls/list", "/deliveries/list", "/events/list"})
    void membersListAndNobodyWithoutATokenDoes(String path) {
        assertThat(platform.post("/webhooks" + path, new JsonObject(), hooked.member().token()).status()).isEqualTo(200);
        assertThat(platform.post("/webhooks" + path, new JsonObject(), null).status()).isEqualTo(401);
    }

    @Test
    void whoActsForNoOrganizationHasNoUrlsAndNoEventsAndMayNotSeeDeliveries() {
        Person stranger = platform.signIn("solo-" + UUID.randomUUID() + "@example.org", "Solo", "Nobody");
        assertThat(Hooked.ok(platform.post("/webhooks/urls/list", new JsonObject(), stranger.token())).object()).isEqualTo(new JsonObject().put("urls", new JsonArray()));
        assertThat(Hooked.ok(platform.post("/webhooks/events/list", new JsonObject().put("afterSequence", 7), stranger.token())).object())
                .isEqualTo(new JsonObject().put("events", new JsonArray()).put("nextSequence", 7));
        assertThat(platform.post("/webhooks/deliveries/list", new JsonObject(), stranger.token()).status()).isEqualTo(403);
    }

    @Test
    void aUrlThatAnAdministratorDisablesGetsNothingUntilItIsEnabledAgain() {
        Hooked own = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            own.register(receiver.url());
            // So long a pause that no other attempt is made before it is looked at.
            receiver.answering(503, "Retry-After", "3600");
            String waits = own.log(1).getFirst();
            own.delivery(waits, receiver.url(), one -> one.getJsonArray("attempts").size() == 1 && one.getString("state").equals("pending"));
            assertThat(Hooked.ok(own.post("/urls/disable", url(receiver.url()))).sentence()).isEqualTo("Webhook URL disabled.");
            own.delivery(waits, receiver.url(), one -> one.getString("state").equals("cancelled"));
            JsonObject view = Hooked.ok(own.post("/urls/view", url(receiver.url()))).object();
            assertThat(view.getBoolean("enabled")).isFalse();
            assertThat(view.getString("disabledReason")).isEqualTo("An administrator disabled it.");
            Hooked.ok(own.post("/urls/disable", url(receiver.url())));
            assertThat(Hooked.ok(own.post("/urls/view", url(receiver.url()))).object()).isEqualTo(view);
            assertThat(platform.rows("select count(*) from webhooks.notices where url = ?", receiver.url()).getFirst()).containsExactly("0");
            receiver.answering(200);
            own.docket();
            // Missed for good only once it was looked at whom to send it to.
            Hooked.await(() -> Hooked.ok(own.post("/events/list", new JsonObject().put("event", "docket_filing"))).object().getJsonArray("events").size() == 2 ? true : null,
                    () -> "the feed");
            assertThat(Hooked.ok(own.post("/urls/enable", url(receiver.url()))).sentence()).isEqualTo("Webhook URL enabled.");
            String entryId = own.docket();
            receiver.next();
            assertThat(receiver.next().envelope().getJsonObject("data").getString("entryID")).isEqualTo(entryId);
        }
    }

    @Test
    void anotherOrganizationsUrlIsUnknown() {
        String url = freshUrl();
        hooked.register(url);
        Hooked other = Hooked.on(platform);
        for (String path : List.of("/urls/view", "/urls/delete", "/urls/enable", "/urls/disable", "/urls/test", "/urls/rotate-secret")) {
            assertThat(other.post(path, url(url)).status()).as(path).isEqualTo(404);
        }
        assertThat(Hooked.ok(other.post("/urls/list", null)).object().getJsonArray("urls")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hooks.example.org                  | url: must be an absolute https address
            ftp://hooks.example.org/           | url: must be an absolute https address
            https://user:pw@hooks.example.org/ | url: must not carry a user name or password
            https://hooks.example.org./        | url: the host must not end in a dot
            https://bücher.example/            | url: must be plain ASCII: write an internationalised host name in its xn-- form and percent-encode the rest
            https://2130706433/                | url: a host of numbers must be four decimal numbers without leading zeros, as in 192.0.2.1
            https://0x7f.1/                    | url: a host of numbers must be four decimal numbers without leading zeros, as in 192.0.2.1
            https://017700000001/              | url: a host of numbers must be four decimal numbers without leading zeros, as in 192.0.2.1
            https://10.0.0.8/                  | url: the host leads to a private address, which is not called
            https://169.254.169.254/           | url: the host leads to a link-local address, which is not called
            https://[::1]/                     | url: the host leads to a loopback address, which is not called
            http://1.1.1.1/hook                | url: must be https: plain http is not called
            """)
    void aUrlThatMustNotBeCalledIsRefusedWithASentenceThatSaysWhy(String url, String sentence) {
        Answer answer = hooked.post("/urls/create", url(url));
        assertThat(answer.sentence()).isEqualTo(sentence);
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void thePlatformsOwnAddressIsRefusedUnderEveryNameItHas(@TempDir Path folder) throws IOException {
        int port = FreePort.any();
        int management = FreePort.any();
        List<String> machine = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance).map(InetAddress::getHostAddress).toList();
        try (RunningPlatform own = RunningPlatform.start(folder, Map.of("ACP_HTTP_PORT", String.valueOf(port), "ACP_MANAGEMENT_PORT",
                String.valueOf(management), "ACP_HTTP_PUBLIC_URL", "https://cases.example.org", "ACP_OUTBOUND_ALLOWED_PRIVATE", "0.0.0.0/0"))) {
            Hooked here = Hooked.on(own);
            List<String> urls = new ArrayList<>(List.of("https://cases.example.org/webhooks/urls/create", "https://CASES.example.org/",
                    "http://localhost:" + port + "/", "http://127.0.0.1:" + management + "/health/live", "http://127.8.8.8:" + port + "/", "http://0.0.0.0:" + port + "/"));
            machine.forEach(address -> urls.add("http://%s:%d/".formatted(address, port)));
            for (String url : urls) {
                Answer answer = here.post("/urls/create", url(url));
                assertThat(answer.sentence()).as(url).isEqualTo("url: must not be the platform's own address");
                assertThat(answer.status()).as(url).isEqualTo(400);
            }
            Hooked.ok(here.post("/urls/create", url("http://127.0.0.1:4999/")));
        }
    }

    @Test
    void aUrlOfMoreThanTwoThousandCharactersOrAnUnknownKindOfEventIsRefused() {
        assertThat(hooked.post("/urls/create", url("https://hooks.example.org/" + "a".repeat(1975))).sentence())
                .isEqualTo("url: at most 2000 characters");
        assertThat(hooked.post("/urls/create", url(freshUrl()).put("events", new JsonArray().add("case_opened"))).sentence())
                .startsWith("events/0: must be one of docket_filing");
        assertThat(hooked.post("/urls/create", url(freshUrl()).put("events", new JsonArray())).sentence()).isEqualTo("events: at least 1 entry");
    }

    @Test
    void aTestEventTellsHowItWentAndIsSignedAndMarked() throws Exception {
        try (Receiver receiver = new Receiver()) {
            String secret = hooked.register(receiver.url());
            Answer answer = Hooked.ok(hooked.post("/urls/test", url(receiver.url())));
            assertThat(answer.sentence()).matches("Test event delivered: the URL answered 200 in [0-9]+ ms\\.");
            Receiver.Received received = receiver.next();
            assertThat(received.envelope().getString("event")).isEqualTo("test");
            assertThat(received.header("webhook-test")).isEqualTo("true");
            new com.standardwebhooks.Webhook(secret).verify(received.body(), Signatures.headers(received));
            receiver.answering(500);
            assertThat(Hooked.ok(hooked.post("/urls/test", url(receiver.url()))).sentence()).startsWith("Test event not delivered: the URL answered 500");
            assertThat(hooked.deliveries(url(receiver.url())).stream().map(one -> one.getString("state"))).containsExactly("failed", "delivered");
        }
        String nobody = freshUrl();
        hooked.register(nobody);
        assertThat(Hooked.ok(hooked.post("/urls/test", url(nobody))).sentence()).isEqualTo("Test event not delivered: the connection was refused.");
    }

    /** A receiver that answers when it likes would else hold a connection and a place for every call. */
    @Test
    void anOrganizationTestsOneUrlAtATimeAndOthersAreNotKeptWaiting() throws Exception {
        Hooked own = Hooked.on(platform);
        CountDownLatch answers = new CountDownLatch(1);
        try (Receiver slow = new Receiver(); Receiver quick = new Receiver()) {
            slow.answering((exchange, received) -> {
                try {
                    answers.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    throw new IOException(interrupted);
                }
                exchange.sendResponseHeaders(200, -1);
            });
            own.register(slow.url());
            own.register(quick.url());
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> own.post("/urls/test", url(slow.url())));
            slow.next();
            Answer second = own.post("/urls/test", url(quick.url()));
            assertThat(second.status()).isEqualTo(429);
            assertThat(second.sentence()).isEqualTo("A test of your organization is still under way.");
            assertThat(second.header("Error-Code")).isEqualTo("webhook-test.under-way");
            assertThat(Integer.parseInt(second.header("Retry-After"))).isPositive();
            Hooked other = Hooked.on(platform);
            other.register(quick.url());
            assertThat(Hooked.ok(other.post("/urls/test", url(quick.url()))).sentence()).startsWith("Test event delivered");
            answers.countDown();
            assertThat(Hooked.ok(first.get(60, TimeUnit.SECONDS)).sentence()).startsWith("Test event delivered");
            assertThat(Hooked.ok(own.post("/urls/test", url(quick.url()))).sentence()).startsWith("Test event delivered");
        }
    }
}
