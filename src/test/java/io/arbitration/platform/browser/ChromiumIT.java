package io.arbitration.platform.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumIT {

    private static Vertx vertx;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void close() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static Chromium launch(Duration within) {
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no Chromium on this machine");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no Chromium");
        return await(Chromium.launch(vertx, binary.get(), List.of(), within));
    }

    @Test
    void aPageAnswersAndItsErrorsAreTold() {
        Chromium chromium = launch(Duration.ofSeconds(60));
        try {
            PageSession page = await(chromium.open());
            assertThat(await(page.evaluate("Promise.resolve({n: 6 * 7})"))).isEqualTo(new JsonObject().put("n", 42));
            assertThatThrownBy(() -> await(page.evaluate("undefinedName"))).isInstanceOf(CompletionException.class).cause()
                    .isInstanceOf(BrowserFailure.class).hasMessageContaining("undefinedName is not defined");
            assertThatThrownBy(() -> await(page.call("No.such"))).cause().isInstanceOf(BrowserFailure.class).hasMessageStartingWith("No.such: ");
        } finally {
            await(chromium.close());
        }
    }

    @Test
    void aCommandThatIsNotAnsweredFailsInItsTime() {
        Chromium chromium = launch(Duration.ofSeconds(8));
        try {
            PageSession page = await(chromium.open());
            assertThatThrownBy(() -> await(page.evaluate("new Promise(() => {})"))).cause()
                    .isInstanceOf(BrowserFailure.class).hasMessage("Runtime.evaluate: no answer within 8000 ms");
        } finally {
            await(chromium.close());
        }
    }

    @Test
    void whatWaitsFailsWhenTheBrowserDies() {
        Chromium chromium = launch(Duration.ofSeconds(60));
        try {
            PageSession page = await(chromium.open());
            Future<Object> never = page.evaluate("new Promise(() => {})");
            chromium.devTools().call("Browser.crash", new JsonObject());
            await(chromium.devTools().ended());
            assertThatThrownBy(() -> await(never)).cause().isInstanceOf(BrowserFailure.class).hasMessage("Runtime.evaluate: the browser has gone");
            assertThatThrownBy(() -> await(page.call("Page.enable"))).cause().isInstanceOf(BrowserFailure.class);
        } finally {
            await(chromium.close());
        }
        assertThat(chromium.isAlive()).isFalse();
    }

    @Test
    void aBinaryThatIsNoBrowserIsTold() throws Exception {
        Path binary = folder.resolve("browser");
        Files.writeString(binary, "#!/bin/sh\necho 'cannot open display'\nexit 3\n");
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
        assertThat(Chromium.find(Optional.of(binary.toString()))).contains(binary);
        assertThatThrownBy(() -> await(Chromium.launch(vertx, binary, List.of(), Duration.ofSeconds(30)))).cause()
                .isInstanceOf(BrowserFailure.class).hasMessage(binary + " did not start: it ended: cannot open display");
        assertThat(Chromium.find(Optional.of(folder.resolve("missing").toString()))).isEmpty();
    }

    /** It neither answers nor ends when its pipe is closed. */
    @Test
    void aBrowserThatHangsAtItsStartIsKilled() throws Exception {
        Path binary = folder.resolve("hangs");
        Files.writeString(binary, "#!/bin/sh\nexec sleep 1000\n");
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
        Path profiles = folder.resolve("profiles");
        assertThatThrownBy(() -> await(Chromium.launch(vertx, binary, List.of(), profiles, false, Duration.ofSeconds(30)))).cause()
                .isInstanceOf(BrowserFailure.class).hasMessage(binary + " did not start: it did not answer within 20 s");
        assertThat(profiles).isEmptyDirectory();
    }

    @Test
    void aBrowserThatHangsIsKilledWhenItIsClosed() throws Exception {
        Chromium chromium = launch(Duration.ofSeconds(60));
        assertThat(new ProcessBuilder("kill", "-STOP", String.valueOf(chromium.pid())).start().waitFor()).isZero();
        await(chromium.close());
        assertThat(chromium.isAlive()).isFalse();
        assertThat(chromium.processes()).isEmpty();
    }
}
