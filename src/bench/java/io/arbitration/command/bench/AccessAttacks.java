package io.arbitration.command.bench;

import static io.arbitration.command.bench.Attacks.inOwnCase;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tokens that are none, access that has ended, and what is sent to people in the platform's name. */
final class AccessAttacks {

    private static final int AT_ONCE = 16;
    private static final int RECIPIENTS = 50;
    private static final int REPORTS = 50;

    private static final Pattern STATE = Pattern.compile("[?&]state=([^&]+)");

    private AccessAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("wrong tokens", "sixteen connections guess access tokens, a new one each time", AccessAttacks::guessTokens),
                new Attack("wrong refresh tokens", "sixteen connections guess refresh tokens",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/auth/sessions/refresh", null, new JsonObject().put("refreshToken", secret()).encode()))),
                new Attack("forged cookies", "sixteen connections guess the cookies of browsers' sessions, from a page of the platform",
                        stage -> stage.together(AT_ONCE, () -> stage.postWith("/auth/users/me", "{}", "Cookie", "__Host-session=s1_" + secret(), "Origin", BenchSite.PUBLIC_URL))),
                new Attack("sign-ins unfinished", "one address begins sign-ins and comes back from a provider that never says who it was", AccessAttacks::signInForNothing),
                new Attack("forged logouts", "sixteen connections tell the platform in a provider's name that somebody has signed out", AccessAttacks::forgeLogouts),
                new Attack("ended access", "somebody whose sessions were ended goes on with its token",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/filings/create", RequestAttacks.motion(stage))))
                        .prepared(stage -> stage.post("/auth/sessions/revoke", new JsonObject().put("all", true))),
                new Attack("many nodes", "one user asks every node at once", AccessAttacks::askEveryNode),
                new Attack("organizations", "one user creates organizations and asks others into them", AccessAttacks::organize).beside(Alike.ORGANIZE),
                new Attack("consent", "one user adds others to its organization without being asked, and answers invitations of others", AccessAttacks::decideForOthers),
                new Attack("mail to the world", "one party serves notices on strangers as fast as it can",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/service-of-notice/send", notice(stage, "stranger-%d@example.org"))))
                        .given((people, own) -> RequestAttacks.docket(people, own, "We can in May.")),
                new Attack("mail to one", "one party serves its case manager with notice after notice",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/service-of-notice/send", notice(stage, "manager@bench.example"))))
                        .given((people, own) -> RequestAttacks.docket(people, own, "We can in May.")),
                new Attack("forged bounces", "strangers send reports of failed mail that was never sent", AccessAttacks::forgeBounces)
                        .given((people, own) -> people.bounces().toString()));
    }

    private static String secret() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Each has the form of a token, so that its signature has to be looked at. */
    private static void guessTokens(AttackStage stage) throws Exception {
        String head = stage.attacker().token().split("\\.")[0];
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        stage.together(AT_ONCE, () -> {
            byte[] signature = new byte[64];
            new Random().nextBytes(signature);
            String claims = new JsonObject().put("sub", UUID.randomUUID().toString()).put("exp", System.currentTimeMillis() / 1000 + 3000).encode();
            stage.post("/auth/users/me", head + "." + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + "." + base64.encodeToString(signature), "{}");
        });
    }

    private static void signInForNothing(AttackStage stage) throws Exception {
        stage.together(stage.many(), () -> {
            HttpResponse<Void> begun = stage.browse("/auth/login/" + SilentProvider.NAME, null);
            Matcher state = STATE.matcher(begun.headers().firstValue("Location").orElse(""));
            if (state.find()) {
                String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
                stage.browse("/auth/callback/%s?code=%s&state=%s".formatted(SilentProvider.NAME, secret(), state.group(1)), null, "Cookie", cookie);
            }
        });
    }

    /** Each has the form of a logout token, so that its signature has to be looked at. */
    private static void forgeLogouts(AttackStage stage) throws Exception {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String head = base64.encodeToString("{\"alg\":\"ES256\",\"kid\":\"bench\",\"typ\":\"logout+jwt\"}".getBytes(StandardCharsets.UTF_8));
        stage.together(AT_ONCE, () -> {
            byte[] signature = new byte[64];
            new Random().nextBytes(signature);
            long now = System.currentTimeMillis() / 1000;
            String claims = new JsonObject().put("iss", BenchSite.PUBLIC_URL).put("aud", "bench").put("sub", UUID.randomUUID().toString()).put("iat", now).put("exp", now + 100)
                    .put("jti", secret()).put("events", new JsonObject().put("http://schemas.openid.net/event/backchannel-logout", new JsonObject())).encode();
            stage.browse("/auth/backchannel-logout/bench", "logout_token=" + head + "." + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + "."
                    + base64.encodeToString(signature));
        });
    }

    private static void askEveryNode(AttackStage stage) throws Exception {
        stage.together(AT_ONCE, () -> {
            stage.post("/api/docket/verify", inOwnCase(stage));
            stage.post(stage.atOther("/api/docket/verify"), inOwnCase(stage));
        });
    }

    private static void organize(AttackStage stage) throws Exception {
        String organizationId = stage.asked("/auth/organizations/create", new JsonObject().put("name", "Org")).getString("organizationID");
        stage.together(AT_ONCE, () -> {
            stage.post("/auth/organizations/create", new JsonObject().put("name", "Org " + UUID.randomUUID()));
            stage.post("/auth/organizations/invitations/create", new JsonObject().put("organizationID", organizationId)
                    .put("email", UUID.randomUUID() + "@example.org"));
        });
    }

    private static void decideForOthers(AttackStage stage) throws Exception {
        String organizationId = stage.asked("/auth/organizations/create", new JsonObject().put("name", "Takers")).getString("organizationID");
        stage.together(AT_ONCE, () -> {
            stage.post("/auth/organizations/members/add", new JsonObject().put("organizationID", organizationId).put("userID", UUID.randomUUID().toString()));
            stage.post("/auth/organizations/invitations/accept", new JsonObject().put("invitationID", UUID.randomUUID().toString()));
            stage.post("/auth/organizations/invitations/decline", new JsonObject().put("invitationID", UUID.randomUUID().toString()));
        });
    }

    private static JsonObject notice(AttackStage stage, String address) {
        JsonArray recipients = new JsonArray();
        int count = address.contains("%d") ? RECIPIENTS : 1;
        Random random = new Random();
        for (int i = 0; i < count; i++) {
            recipients.add(new JsonObject().put("email", address.formatted(random.nextInt(Integer.MAX_VALUE))));
        }
        return inOwnCase(stage).put("entryID", stage.given()).put("mailType", "docketNotice").put("recipients", recipients);
    }

    /** Reports as RFC 3464 has them, about copies that there never were; a mail server would put them into the folder. */
    private static void forgeBounces(AttackStage stage) throws Exception {
        Path folder = Path.of(stage.given());
        stage.together(1, () -> {
            for (int i = 0; i < REPORTS && !stage.isOver(); i++) {
                report(folder, UUID.randomUUID().toString());
            }
            stage.pause(Duration.ofMillis(100));
        });
    }

    private static void report(Path folder, String token) {
        String report = """
                From: <mailer@example.org>
                To: <bounces+%s@bench.example>
                Subject: Undelivered
                MIME-Version: 1.0
                Content-Type: multipart/report; report-type=delivery-status; boundary="b"

                --b
                Content-Type: text/plain

                %s
                --b
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mail.example.org

                Final-Recipient: rfc822; nobody@example.org
                Action: failed
                Status: 5.1.1

                --b--
                """.formatted(token.replace("-", ""), "It could not be delivered. ".repeat(500)).replace("\n", "\r\n");
        try {
            Path written = Files.writeString(folder.resolve("tmp").resolve(token), report);
            Files.move(written, folder.resolve("new").resolve(token));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
