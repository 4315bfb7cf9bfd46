package io.arbitration.push;

import io.arbitration.push.messages.UserMessageRepository;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages to users, asked for over the event bus and sent from the queue. */
class MessagesIT {

    private static final JsonObject NOTIFICATION = new JsonObject().put("title", "Docketed").put("body", "No. 3")
            .put("url", "https://arbitration.example/cases/7").put("data", new JsonObject().put("entryID", "42"));

    @TempDir
    private static Path folder;
    private static PushServer service;
    private static RunningPlatform platform;
    private static Pushed pushed;

    @BeforeAll
    static void start() {
        service = new PushServer();
        Map<String, String> settings = new HashMap<>(Pushed.settings(service));
        settings.put("ACP_PUSH_IN_FLIGHT_PER_SERVICE", "8");
        platform = RunningPlatform.start(folder, settings);
        pushed = Pushed.on(platform, service);
    }

    @AfterAll
    static void stop() {
        platform.close();
        service.close();
    }

    @BeforeEach
    void takeEverything() {
        service.answering(201);
    }

    private static JsonObject request(String key, Person person) {
        return new JsonObject().put("idempotencyKey", key).put("userID", person.id()).put("notification", NOTIFICATION);
    }

    private static int ask(String key, Person person) {
        return platform.ask(Addresses.PUSH_SEND, request(key, person)).getInteger("queued");
    }

    private static String key() {
        return "docket_filing:" + UUID.randomUUID();
    }

    /** State, status and attempts of the deliveries of a message, once none is pending any more. */
    private static List<String> ended(String key) {
        return Pushed.await(() -> endedNow(key), () -> "the end of " + rows(key));
    }

    /** Null while one is pending. */
    private static List<String> endedNow(String key) {
        List<List<String>> rows = rows(key);
        return rows.stream().noneMatch(row -> row.getFirst().equals("pending")) ? rows.stream().map(row -> String.join(" ", row)).toList() : null;
    }

    private static List<List<String>> rows(String key) {
        return platform.rows("""
                select state, coalesce(status::text, '-'), attempts from push.deliveries join push.messages using (message_id)
                where idempotency_key = ? order by delivery_id
                """, key);
    }

    @Test
    void eachBrowserOfAUserIsToldOnceHoweverOftenItIsAskedFor() {
        Person person = pushed.person();
        List<Browser> browsers = Stream.generate(pushed::browser).limit(3).toList();
        browsers.forEach(browser -> pushed.subscribe(browser, person));
        Browser another = pushed.browser();
        pushed.subscribe(another, pushed.person());
        String key = key();
        assertThat(ask(key, person)).isEqualTo(3);
        assertThat(ask(key, person)).isEqualTo(3);
        assertThat(ended(key)).containsExactly("sent 201 1", "sent 201 1", "sent 201 1");
        assertThat(ask(key, person)).isEqualTo(3);
        for (Browser browser : browsers) {
            List<PushServer.Taken> taken = service.all(browser);
            assertThat(taken).hasSize(1);
            assertThat(taken.getFirst().message()).isEqualTo(NOTIFICATION);
            // What is left of a day.
            assertThat(Integer.parseInt(taken.getFirst().header("TTL"))).isBetween(86_000, 86_400);
            assertThat(taken.getFirst().header("Topic")).hasSize(32);
        }
        assertThat(service.all(another)).isEmpty();
    }

    /** From the docket to the browser, through the event log, the alerts and the queue. */
    @Test
    void aParticipantHearsOfADocketEntryInItsBrowserWithinSeconds() {
        OpenCase opened = OpenCase.on(platform);
        Browser browser = pushed.browser();
        Browser outside = pushed.browser();
        pushed.subscribe(browser, opened.respondent());
        pushed.subscribe(outside, opened.outsider());
        String entryId = opened.docketed(new JsonObject());
        Instant docketed = Instant.now();
        PushServer.Taken taken = Pushed.await(() -> service.all(browser).stream()
                .filter(one -> entryId.equals(one.message().getJsonObject("data", new JsonObject()).getString("entryID"))).findFirst().orElse(null),
                () -> "alerts: " + service.all(browser).stream().map(PushServer.Taken::message).toList());
        assertThat(Duration.between(docketed, taken.at())).isLessThan(Duration.ofSeconds(60));
        assertThat(taken.message().getString("title")).isEqualTo("New on the docket");
        assertThat(taken.message().getJsonObject("data").getString("caseID")).isEqualTo(opened.caseId());
        assertThat(service.all(outside)).isEmpty();
    }

    @Test
    void oneKeyTellsSeveralUsers() {
        Person first = pushed.person();
        Person second = pushed.person();
        pushed.subscribe(pushed.browser(), first);
        pushed.subscribe(pushed.browser(), second);
        String key = key();
        assertThat(ask(key, first)).isOne();
        assertThat(ask(key, second)).isOne();
        assertThat(ended(key)).containsExactly("sent 201 1", "sent 201 1");
    }

    @Test
    void aDisabledUserIsToldNothingAndHearsAgainWhenItIsEnabled() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        String subscription = pushed.subscribe(browser, person);
        JsonObject disabled = new JsonObject().put("userID", person.id()).put("reason", "Left.");
        Pushed.ok(platform.post("/auth/users/disable", disabled, platform.administrator().token()));
        String key = key();
        assertThat(ask(key, person)).isOne();
        assertThat(ended(key)).containsExactly("gone - 1");
        assertThat(pushed.send(subscription, NOTIFICATION).status()).isEqualTo(404);
        assertThat(service.all(browser)).isEmpty();
        Pushed.ok(platform.post("/auth/users/enable", new JsonObject().put("userID", person.id()), platform.administrator().token()));
        String later = key();
        assertThat(ask(later, person)).isOne();
        assertThat(ended(later)).containsExactly("sent 201 1");
        assertThat(service.all(browser)).hasSize(1);
    }

    @Test
    void whoHasNoBrowserIsToldNothingAlsoLater() {
        Person person = pushed.person();
        String key = key();
        assertThat(ask(key, person)).isZero();
        Browser browser = pushed.browser();
        pushed.subscribe(browser, person);
        assertThat(ask(key, person)).isZero();
        String after = key();
        assertThat(ask(after, person)).isOne();
        assertThat(ended(after)).containsExactly("sent 201 1");
        assertThat(service.all(browser)).hasSize(1);
    }

    @Test
    void aSubscriptionThatHasEndedIsRemovedAndTheOthersAreTold() {
        Person person = pushed.person();
        Browser gone = pushed.browser();
        Browser there = pushed.browser();
        pushed.subscribe(gone, person);
        String id = pushed.subscribe(there, person);
        service.answering((exchange, taken) -> exchange.sendResponseHeaders(taken.browser() == gone ? 410 : 201, -1));
        String key = key();
        assertThat(ask(key, person)).isEqualTo(2);
        assertThat(ended(key)).containsExactlyInAnyOrder("gone 410 1", "sent 201 1");
        assertThat(pushed.subscriptions(person)).containsExactly(id);
    }

    @Test
    void whatIsRefusedForGoodIsNotTriedAgain() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        pushed.subscribe(browser, person);
        service.answering(403);
        String key = key();
        ask(key, person);
        assertThat(ended(key)).containsExactly("failed 403 1");
        assertThat(service.all(browser)).hasSize(1);
        assertThat(pushed.subscriptions(person)).hasSize(1);
    }

    /** {@code -Dpush.busySeconds=60} makes it a minute, which is too long for an ordinary run. */
    @Test
    void aBusyPushServiceGetsEveryMessageWhenItsPauseIsOver() {
        int seconds = Integer.getInteger("push.busySeconds", 4);
        Person person = pushed.person();
        List<Browser> browsers = Stream.generate(pushed::browser).limit(20).toList();
        browsers.forEach(browser -> pushed.subscribe(browser, person));
        Instant busyUntil = Instant.now().plusSeconds(seconds);
        Set<String> asked = ConcurrentHashMap.newKeySet();
        service.answering((exchange, taken) -> {
            // The first attempt at each is refused, also one that a busy machine makes after the pause.
            boolean first = asked.add(exchange.getRequestURI().getPath());
            long left = Math.max(1, Duration.between(Instant.now(), busyUntil).toMillis());
            exchange.getResponseHeaders().set("Retry-After", String.valueOf(Math.ceilDiv(left, 1000L)));
            exchange.sendResponseHeaders(first ? 429 : 201, -1);
        });
        String key = key();
        ask(key, person);
        Pushed.await(() -> service.all(browsers.getLast()).isEmpty() ? null : true, () -> "a first attempt");
        assertThat(Pushed.await(Duration.ofSeconds(seconds + 60), () -> endedNow(key), () -> rows(key).toString()))
                .hasSize(20).containsOnly("sent 201 2");
        for (Browser browser : browsers) {
            List<PushServer.Taken> all = service.all(browser);
            assertThat(all).hasSize(2);
            assertThat(all.get(1).at()).isAfterOrEqualTo(busyUntil);
            assertThat(all.get(1).message()).isEqualTo(NOTIFICATION);
        }
    }

    /** More than may be on the way to one push service: none of them is answered, and those of another are sent meanwhile. */
    @Test
    void aPushServiceThatHangsHoldsUpNoOther() {
        CountDownLatch end = new CountDownLatch(1);
        Person person = pushed.person();
        Person other = pushed.person();
        service.answering((exchange, taken) -> {
            try {
                end.await();
                exchange.sendResponseHeaders(201, -1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        Browser hanging = pushed.browser();
        pushed.subscribe(hanging, person);
        List<String> keys = IntStream.range(0, 30).mapToObj(i -> key()).toList();
        keys.forEach(key -> ask(key, person));
        // At a second push service, which nobody reaches: what counts is that it was tried.
        pushed.post("/web-push/subscribe", new JsonObject().put("vapidKey", pushed.activeKey()).put("subscription",
                pushed.browser().subscription().put("endpoint", "https://updates.push.example/" + UUID.randomUUID())), other.token());
        String key = key();
        ask(key, other);
        Pushed.await(() -> Integer.parseInt(rows(key).getFirst().getLast()) >= 1 ? true : null, () -> rows(key).toString());
        assertThat(keys.stream().filter(one -> rows(one).getFirst().getFirst().equals("sent"))).isEmpty();
        end.countDown();
        Set<String> sent = ConcurrentHashMap.newKeySet();
        Pushed.await(() -> {
            keys.stream().filter(one -> rows(one).getFirst().getFirst().equals("sent")).forEach(sent::add);
            return sent.size() == keys.size() ? true : null;
        }, () -> sent.size() + " sent");
    }

    @Test
    void aMessageThatIsTooOldIsNotSent() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        pushed.subscribe(browser, person);
        // No second attempt is made before this test asks for it.
        service.answering(503, "Retry-After", "3600");
        String key = key();
        ask(key, person);
        Pushed.await(() -> rows(key).getFirst().getLast().equals("1") ? true : null, () -> rows(key).toString());
        int attempts = service.all(browser).size();
        platform.rows("update push.messages set expires = now() - interval '1 second' where idempotency_key = ? returning 1", key);
        platform.rows("""
                update push.deliveries d set due = now() from push.messages m
                where m.message_id = d.message_id and idempotency_key = ? returning 1
                """, key);
        assertThat(ended(key)).containsExactly("expired - 2");
        assertThat(service.all(browser)).hasSize(attempts);
    }

    @Test
    void oldMessagesAreForgottenAndYoungOnesAreNot() {
        Person person = pushed.person();
        pushed.subscribe(pushed.browser(), person);
        String old = key();
        String young = key();
        ask(old, person);
        ask(young, person);
        assertThat(ended(old)).containsExactly("sent 201 1");
        assertThat(ended(young)).containsExactly("sent 201 1");
        platform.rows("""
                update push.messages set created = now() - interval '40 days', expires = now() - interval '39 days' where idempotency_key = ? returning 1
                """, old);
        assertThat(new UserMessageRepository(platform.database()).deleteExpired(Duration.ofDays(30)).toCompletionStage().toCompletableFuture().join()).isPositive();
        assertThat(rows(old)).isEmpty();
        assertThat(rows(young)).hasSize(1);
    }

    @Test
    void aBrowserThatSubscribedAnewMeanwhileIsNotEnded() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, person);
        service.answering((exchange, taken) -> {
            pushed.subscribe(browser, person);
            exchange.sendResponseHeaders(410, -1);
        });
        String key = key();
        ask(key, person);
        assertThat(ended(key)).containsExactly("gone 410 1");
        assertThat(pushed.subscriptions(person)).containsExactly(id);
    }

    @Test
    void aRequestOfTheWrongShapeIsRefusedAsAnOperationWould() {
        Person person = pushed.person();
        Map<JsonObject, String> wrong = Map.of(
                request("", person), "idempotencyKey: from 1 to 200 characters",
                request("x".repeat(201), person), "idempotencyKey: from 1 to 200 characters",
                request(key(), person).put("userID", "x"), "userID: must be a UUID",
                request(key(), person).putNull("notification"), "notification: is required",
                request(key(), person).put("notification", new JsonObject().put("title", 1)), "body: a member has the wrong type",
                request(key(), person).put("notification", new JsonObject().put("url", "javascript:1")), "url: must be an http or https address, or one relative to the page that subscribed");
        wrong.forEach((request, why) -> assertThatThrownBy(() -> platform.ask(Addresses.PUSH_SEND, request)).as(why)
                .isInstanceOf(CompletionException.class).cause().isInstanceOf(ReplyException.class).hasMessage(why)
                .extracting(failed -> ((ReplyException) failed).failureCode()).isEqualTo(400));
    }
}
