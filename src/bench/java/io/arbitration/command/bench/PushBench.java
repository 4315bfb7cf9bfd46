package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Web push, with PostgreSQL, platform and push service on this machine: sends while the caller waits, and messages to users from
 * the queue, each encrypted for its browser. At the end all subscriptions are told something, and a tenth of them have ended.
 */
@Command(name = "push", description = "Encrypted messages to a push service on loopback.", mixinStandardHelpOptions = true)
final class PushBench implements Callable<Integer> {

    private static final int PACED_PER_SECOND = 200;
    private static final int CONNECTIONS = 32;
    private static final int USER_SUBSCRIPTIONS = 100;
    private static final int DIFFERENT_KEYS = 500;
    private static final int WARM_UP_MESSAGES = 20;
    private static final long DRAINED_SECONDS_MAX = 300;

    @Mixin
    private BenchOptions options;

    @Option(names = "--subscriptions", defaultValue = "100000", description = "Subscriptions at the end, one in ten of which has ended (${DEFAULT-VALUE}).")
    private int subscriptions;

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText()); PushSink sink = new PushSink();
                ServerProcess server = site.start(Map.of("ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.1/32", "ACP_PUSH_ALLOWED_ENDPOINTS", sink.origin()));
                BenchPeople people = new BenchPeople(server.address(), site);
                BenchDatabase database = BenchDatabase.open(site.database());
                Connection sql = BenchDatabase.connect(site.database())) {
            measure(people, server, sink, database, sql);
        } catch (SQLException failed) {
            throw new BenchFailed("cannot prepare subscriptions: " + failed.getMessage(), failed);
        }
        return 0;
    }

    private void measure(BenchPeople people, ServerProcess server, PushSink sink, BenchDatabase database, Connection sql) throws SQLException {
        int users = Math.max(10, (options.quick ? 2_000 : subscriptions) / USER_SUBSCRIPTIONS);
        String token = machine(people, server.address());
        List<UUID> ids = subscribe(database, sql, sink, users);
        List<Request> sends = requests(database, token);

        Report.progress("warming up for %d s".formatted(options.warmUp().toSeconds()));
        long end = System.nanoTime() + options.warmUp().toNanos();
        do {
            paced(server, sends, Duration.ofSeconds(1), CONNECTIONS * 4);
            tell(database, sql, ids.subList(0, Math.min(WARM_UP_MESSAGES, ids.size())), false);
        } while (System.nanoTime() < end);

        Report.title("Sending to one subscription, %d requests a second", PACED_PER_SECOND);
        Load load = paced(server, sends, options.phase().multipliedBy(options.rounds()), PACED_PER_SECOND).faultless("sends");
        Report.line("%-40s %12d, p50 %.2f ms, p99 %.2f ms", "answers", load.answers(), load.p50Millis(), load.p99Millis());
        Report.target("p99 of a send", load.p99Millis(), "≤", 50, "ms");

        Report.title("Sending to one subscription, %d connections", CONNECTIONS);
        double cpu = server.cpuSeconds();
        Load full = options.loadGenerator().repeat(server.address(), sends, CONNECTIONS, options.phase()).faultless("sends");
        Report.line("%-40s %12.0f a second, %.0f a CPU-second of the platform, p99 %.2f ms", "sends, request included", full.perSecond(),
                full.answers() / (server.cpuSeconds() - cpu), full.p99Millis());

        Report.title("Messages to users from the queue, %d subscriptions each", USER_SUBSCRIPTIONS);
        double perCpuSecond = queued(server, sink, database, sql, ids.subList(0, Math.min(200, ids.size())), false);
        Report.target("encrypted sends a CPU-second", perCpuSecond, "≥", 5000, "");

        everyone(server, sink, database, sql, ids);
    }

    private double queued(ServerProcess server, PushSink sink, BenchDatabase database, Connection sql, List<UUID> users, boolean gone) throws SQLException {
        double cpu = server.cpuSeconds();
        long answered = sink.taken() + sink.gone();
        long start = System.nanoTime();
        tell(database, sql, users, gone);
        double seconds = (System.nanoTime() - start) / 1e9;
        double used = server.cpuSeconds() - cpu;
        long sent = sink.taken() + sink.gone() - answered;
        Report.line("%-40s %12d in %.1f s: %.0f a second, %.2f CPU-seconds of the platform", "messages", sent, seconds, sent / seconds, used);
        return sent / used;
    }

    /** Tells all, of whom a tenth are gone; afterwards they are gone from the table as well, and nobody else is. */
    private void everyone(ServerProcess server, PushSink sink, BenchDatabase database, Connection sql, List<UUID> users) throws SQLException {
        long all = database.number("select count(*) from push.subscriptions");
        database.run("update push.subscriptions set endpoint = replace(endpoint, '/push/', '/gone/') where right(endpoint, 1) = '0'");
        long ended = database.number("select count(*) from push.subscriptions where endpoint like '%/gone/%'");
        Report.title("%d subscriptions, of which %d have ended", all, ended);
        long gone = sink.gone();
        double perCpuSecond = queued(server, sink, database, sql, users, true);
        long left = database.number("select count(*) from push.subscriptions");
        Report.line("%-40s %12.0f", "messages a CPU-second", perCpuSecond);
        Report.line("%-40s %12d answered 410, %d removed, %d left", "subscriptions that had ended", sink.gone() - gone, all - left, left);
        if (sink.gone() - gone != ended || left != all - ended) {
            throw new BenchFailed("not exactly the subscriptions that had ended were removed");
        }
    }

    /** A machine client that may make keys and send; makes a key. Its token. */
    private static String machine(BenchPeople people, URI server) {
        Person administrator = people.signIn(BenchSite.ADMINISTRATOR, "Ada", "Administrator");
        Object client = people.post(new Request("/auth/clients/create", administrator.token(), new JsonObject().put("name", "Bench")
                .put("permissions", new JsonArray().add("push.keys.creator").add("push.notifications.creator")).encode()));
        String token = ((JsonObject) people.post(new Request("/auth/clients/token", null, ((JsonObject) client).encode()))).getString("accessToken");
        HttpRequest create = HttpRequest.newBuilder(server.resolve("/push/vapid-keys/create")).header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody()).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(create, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BenchFailed("no VAPID key: %d %s".formatted(answer.statusCode(), answer.body()));
            }
        } catch (IOException failed) {
            throw new BenchFailed("no VAPID key: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
        return token;
    }

    /** Subscriptions of made-up users, all at the sink; the users. */
    private static List<UUID> subscribe(BenchDatabase database, Connection sql, PushSink sink, int users) throws SQLException {
        Report.progress("adding %d subscriptions".formatted(users * USER_SUBSCRIPTIONS));
        List<byte[]> points = points();
        List<UUID> ids = IntStream.range(0, users).mapToObj(i -> UUID.randomUUID()).toList();
        sql.setAutoCommit(false);
        try (PreparedStatement insert = sql.prepareStatement("""
                insert into push.subscriptions (subscription_id, user_id, key_id, endpoint, service, p256dh, auth, created)
                select gen_random_uuid(), ?, (select max(key_id) from push.vapid_keys), ?, ?, ?, ?, now()
                """)) {
            int number = 0;
            for (UUID user : ids) {
                for (int i = 0; i < USER_SUBSCRIPTIONS; i++) {
                    insert.setObject(1, user);
                    insert.setString(2, "%s/push/%d".formatted(sink.origin(), number));
                    insert.setString(3, sink.origin());
                    insert.setBytes(4, points.get(number % points.size()));
                    insert.setBytes(5, new byte[16]);
                    insert.addBatch();
                    number++;
                }
                insert.executeBatch();
            }
            sql.commit();
        }
        sql.setAutoCommit(true);
        database.run("analyze push.subscriptions");
        return ids;
    }

    private static List<byte[]> points() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return IntStream.range(0, DIFFERENT_KEYS).mapToObj(i -> generator.generateKeyPair().getPublic().getEncoded())
                    .map(encoded -> Arrays.copyOfRange(encoded, encoded.length - 65, encoded.length)).toList();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static JsonObject notification() {
        return new JsonObject().put("title", "A document was docketed").put("body", "Statement of Claim, no. 3 in Cranes v. Quarry")
                .put("url", "https://arbitration.example/cases/7d0c").put("data", new JsonObject().put("entryID", "42"));
    }

    private static List<Request> requests(BenchDatabase database, String token) {
        return database.pairs("select subscription_id, null from push.subscriptions limit 1000").stream()
                .map(row -> new Request("/push/internal/send-web-push-to-subscription", token, notification().put("subscriptionID", row[0]).encode())).toList();
    }

    private static Load paced(ServerProcess server, List<Request> sends, Duration duration, int perSecond) {
        return new JvmLoad().paced(server.address(), sends, CONNECTIONS, perSecond, duration);
    }

    /** Puts a message in for each user, as another area does over the event bus, and waits until nothing is pending. */
    private static void tell(BenchDatabase database, Connection sql, List<UUID> users, boolean someGone) throws SQLException {
        sql.setAutoCommit(false);
        try (PreparedStatement insert = sql.prepareStatement("""
                with message as (
                  insert into push.messages (idempotency_key, user_id, payload, created, expires)
                  values (gen_random_uuid()::text, ?, convert_to(?, 'UTF8'), now(), now() + interval '1 day') returning message_id, user_id)
                insert into push.deliveries (message_id, subscription_id, service, ready, due)
                select m.message_id, s.subscription_id, s.service, true, now() from message m join push.subscriptions s using (user_id)
                """); var wake = sql.createStatement()) {
            for (UUID user : users) {
                insert.setObject(1, user);
                insert.setString(2, notification().encode());
                insert.addBatch();
            }
            insert.executeBatch();
            wake.execute("select pg_notify('push_due', '')");
            sql.commit();
        }
        sql.setAutoCommit(true);
        awaitDrained(database);
        long failed = database.number("select count(*) from push.deliveries where state not in ('sent'%s)".formatted(someGone ? ", 'gone'" : ""));
        if (failed > 0) {
            throw new BenchFailed("%d messages were not sent".formatted(failed));
        }
    }

    private static void awaitDrained(BenchDatabase database) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAINED_SECONDS_MAX);
        while (database.number("""
                select count(*) from (
                  (select 1 from push.deliveries where ready limit 1)
                  union all (select 1 from push.deliveries where claim is not null limit 1)
                  union all (select 1 from push.deliveries where state = 'pending' and not ready limit 1)) unfinished
                """) > 0) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("the queue did not empty within %d s".formatted(DRAINED_SECONDS_MAX));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }
}
