package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every answer tells browsers. */
class SecurityHeadersIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

    @Test
    void everyAnswerIsTakenForWhatItSaysAndRunsAndShowsNothing() {
        OpenCase open = OpenCase.on(PLATFORM);
        open.docketed(new JsonObject());
        String token = open.claimant().token();
        JsonObject inCase = new JsonObject().put("caseID", open.caseId());
        Map<String, Answer> answers = new LinkedHashMap<>();
        answers.put("a sentence", PLATFORM.post("/auth/sessions/revoke", new JsonObject(), PLATFORM.signIn("h@example.org", "H", "H").token()));
        answers.put("a list that is kept", PLATFORM.post("/api/docket/entries/list", inCase, token));
        answers.put("compressed", PLATFORM.post("/cases/schemas/list", new JsonObject(), token, "Accept-Encoding", "gzip"));
        answers.put("refused", PLATFORM.post("/cases/cases/view", inCase, null));
        answers.put("wrong", PLATFORM.post("/cases/cases/view", "{", token));
        answers.put("refused as text", PLATFORM.post("/push/web-push/list", new JsonObject(), null));
        answers.put("refused as OAuth has it", PLATFORM.post("/auth/oauth/token", new JsonObject(), null));
        answers.put("nowhere", PLATFORM.get("/nowhere"));
        answers.put("another method", PLATFORM.get("/cases/cases/view"));
        answers.put("a redirect", PLATFORM.get("/auth/login/demo"));
        answers.put("keys", PLATFORM.get("/auth/.well-known/jwks.json"));
        answers.put("a contract", PLATFORM.get("/openapi/cases.yaml"));
        answers.forEach((what, answer) -> {
            assertThat(answer.header("X-Content-Type-Options")).as(what).isEqualTo("nosniff");
            assertThat(answer.header("Content-Security-Policy")).as(what).contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(answer.header("Referrer-Policy")).as(what).isIn("same-origin", "no-referrer");
            assertThat(answer.header("Strict-Transport-Security")).as("on plain HTTP: " + what).isNull();
            if (!what.equals("keys") && !what.equals("a contract")) {
                assertThat(answer.header("Cache-Control")).as(what).contains("no-store");
                assertThat(answer.header("Content-Security-Policy")).as(what).isEqualTo(NOTHING);
            }
        });
    }

    @Test
    void everyPageNamesWhatItMayRunAndWhoMayFrameIt() {
        for (String page : new String[] {"/console", "/docs", "/push/demo", "/emails/held"}) {
            Answer answer = PLATFORM.get(page);
            assertThat(answer.status()).as(page + answer.body()).isEqualTo(200);
            assertThat(answer.header("X-Content-Type-Options")).as(page).isEqualTo("nosniff");
            assertThat(answer.header("Content-Security-Policy")).as(page).startsWith("default-src 'none'").contains("frame-ancestors", "base-uri 'none'").doesNotContain("'unsafe-eval'");
            assertThat(answer.header("Referrer-Policy")).as(page).isIn("same-origin", "no-referrer");
            assertThat(answer.header("Content-Type")).as(page).isEqualTo("text/html; charset=utf-8");
        }
    }

    @Test
    void aRequestThatCannotBeReadIsAnsweredWithTheSame() throws IOException {
        URI url = URI.create(PLATFORM.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 400").containsIgnoringCase("x-content-type-options: nosniff").containsIgnoringCase("content-security-policy: " + NOTHING);
        }
    }

    /** A request with TRACE would be echoed with its cookies. */
    @Test
    void traceIsAMethodLikeAnyOtherThatIsNotThere() throws IOException {
        URI url = URI.create(PLATFORM.url());
        for (String path : new String[] {"/", "/docs", "/auth/users/me", "/nowhere"}) {
            try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write("TRACE %s HTTP/1.1\r\nHost: localhost\r\nCookie: session=secret\r\nConnection: close\r\n\r\n".formatted(path)
                        .getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(answer).as(path).matches("(?s)HTTP/1\\.1 40[45] .*").doesNotContain("secret");
            }
        }
    }

    /** What operators look at is on a port of its own. */
    @Test
    void theFrontDoorHasNoMetricsAndNoHealth() {
        for (String path : new String[] {"/metrics", "/health", "/health/ready", "/health/live", "/actuator", "/.git/config", "/conf/platform.yaml"}) {
            assertThat(PLATFORM.get(path).status()).as(path).isEqualTo(404);
        }
    }
}
