package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.telemetry.LogLine;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is written to the log, at its finest level. */
class LogsIT {

    /** Access tokens, refresh tokens and secrets as they stand in answers. */
    private static final Pattern SECRETS = Pattern.compile("\"(?:accessToken|refreshToken|idToken|secret|clientSecret)\":\"([^\"…]{12,})\"");

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    private Level before;

    @BeforeEach
    void writeAll() {
        LogLine line = new LogLine();
        line.setJson(true);
        line.setContext(context);
        line.start();
        appender.setContext(context);
        appender.setEncoder(line);
        appender.setOutputStream(written);
        appender.start();
        before = root.getLevel();
        // What others write to the screen meanwhile stays at their level.
        root.iteratorForAppenders().forEachRemaining(other -> other.addFilter(Threshold.INFO));
        root.setLevel(Level.TRACE);
        root.addAppender(appender);
    }

    private static final class Threshold {
        static final ch.qos.logback.classic.filter.ThresholdFilter INFO = new ch.qos.logback.classic.filter.ThresholdFilter();

        static {
            INFO.setLevel("INFO");
            INFO.start();
        }
    }

    @AfterEach
    void writeAsBefore() {
        root.setLevel(before);
        root.detachAppender(appender);
        root.iteratorForAppenders().forEachRemaining(ch.qos.logback.core.Appender::clearAllFilters);
    }

    private List<JsonObject> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().map(JsonObject::new).toList();
    }

    @Test
    void theDemoCaseLeavesNoTokenNoSecretAndNoBodyInTheLog() {
        RunningPlatform platform = RunningPlatform.shared();
        List<String> told = new ArrayList<>();
        DemoCase.Ending ending;
        try (DemoClient client = new DemoClient(area -> platform.url() + "/" + area, told::add)) {
            ending = new DemoCase(client, true).play();
        }
        RunningPlatform.Person person = platform.signIn("logged@example.org", "Lola", "Logged");
        platform.post("/auth/organizations/create", new JsonObject().put("name", "Logged Traders"), person.token());
        JsonObject hook = platform.post("/webhooks/urls/create", new JsonObject().put("url", "http://127.0.0.1:4997/its-path-is-its-secret"), person.token()).object();
        String client = platform.machine("emails.email.sender");
        platform.post("/emails/email/send", new JsonObject().put("idempotencyKey", "logs-" + UUID.randomUUID()).put("to", List.of("somebody@example.org"))
                .put("subject", "An unmistakable subject").put("html", "<p>An unmistakable letter</p>"), client);
        platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", person.refreshToken()), null);
        platform.post("/auth/users/me", "", "eyJhbGciOiJub25lIn0.an-unmistakable-forgery.x");
        platform.post("/api/docket/entries/list", "{\"caseID\": an unmistakable body", person.token());
        String log = written.toString(StandardCharsets.UTF_8);
        Set<String> secrets = new HashSet<>(List.of(ending.claimant().token(), ending.manager().token(), ending.respondent().token(), ending.administrator().token(), person.token(), person.refreshToken(), client, hook.getString("secret")));
        told.forEach(line -> SECRETS.matcher(line).results().forEach(found -> secrets.add(found.group(1))));
        assertThat(log).isNotEmpty();
        secrets.forEach(secret -> assertThat(log).doesNotContain(secret));
        assertThat(log).doesNotContain("eyJ", "whsec_", "unmistakable", "harbour", "its-path-is-its-secret", "Damages", "Bearer ");
    }

    @Test
    void aLineOfARequestNamesRequestCallerAndCase() {
        RunningPlatform platform = RunningPlatform.shared();
        RunningPlatform.Person person = platform.signIn("line" + UUID.randomUUID() + "@example.org", "Lina", "Line");
        String caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Line v. Line").put("ruleSet", "commercial"), person.token())
                .object().getString("caseID");
        String request = "r-" + UUID.randomUUID();
        platform.post("/cases/cases/view", new JsonObject().put("caseID", caseId), person.token(), "X-Request-Id", request);
        platform.post("/cases/cases/view", "{\"caseID\": \"x\\ny\"}", person.token(), "X-Request-Id", request + "-2");
        // The line about a request is written when its answer is on its way already.
        for (String awaited : List.of(request, request + "-2")) {
            Await.until("the lines of " + awaited, () -> lines().stream().anyMatch(line -> awaited.equals(line.getString("request")) && "OperationTimer".equals(line.getString("logger"))));
        }
        assertThat(lines()).anySatisfy(line -> assertThat(line.getMap()).containsEntry("request", request).containsEntry("caller", person.id())
                .containsEntry("case", caseId).containsEntry("logger", "OperationTimer"));
        assertThat(lines().stream().filter(line -> (request + "-2").equals(line.getString("request")))).isNotEmpty().noneMatch(line -> line.containsKey("case"));
    }

    @Test
    void aMessageCannotBeginALineOfItsOwn() {
        LogLine text = new LogLine();
        Logger logger = context.getLogger("io.arbitration.Test");
        ILoggingEvent event = new ch.qos.logback.classic.spi.LoggingEvent(LogsIT.class.getName(), logger, Level.WARN,
                "{}", null, new Object[] {"one\n2026-01-01T00:00:00.000Z ERROR forged\u001b[2J"});
        assertThat(new String(text.encode(event), StandardCharsets.UTF_8)).containsOnlyOnce("\n").endsWith("\n")
                .contains(" WARN  Test one\\n2026-01-01").doesNotContain("\u001b");
        text.setJson(true);
        assertThat(new String(text.encode(event), StandardCharsets.UTF_8)).containsOnlyOnce("\n").endsWith("}\n");
    }
}
