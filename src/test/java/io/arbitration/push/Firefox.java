package io.arbitration.push;

import io.arbitration.Await;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A Firefox without a screen, told what to do by its own protocol Marionette. Its push service is the one at the given address. */
final class Firefox implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(120);
    private static final int ANSWER_MILLIS_MAX = 60_000;

    private final Process process;
    private final Socket socket;
    private final InputStream in;
    private int last;

    private Firefox(Process process, Socket socket) throws IOException {
        this.process = process;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Marionette's own preferences keep Firefox from its push service, and a machine without a desktop shows no notification of a system. */
    static Firefox start(Path program, Path folder, String pushService) throws IOException, InterruptedException {
        int port = FreePort.any();
        Path profile = Files.createDirectories(folder.resolve("profile"));
        Files.writeString(profile.resolve("user.js"), """
                user_pref("marionette.port", %d);
                user_pref("remote.prefs.recommended", false);
                user_pref("alerts.useSystemBackend", false);
                user_pref("dom.push.serverURL", "%s");
                user_pref("dom.push.testing.allowInsecureServerURL", true);
                user_pref("network.manage-offline-status", false);
                user_pref("network.captive-portal-service.enabled", false);
                user_pref("network.connectivity-service.enabled", false);
                user_pref("datareporting.policy.dataSubmissionEnabled", false);
                user_pref("app.normandy.enabled", false);
                user_pref("services.settings.server", "data:,");
                """.formatted(port, pushService));
        Path log = folder.resolve("firefox.log");
        ProcessBuilder builder = new ProcessBuilder(program.toString(), "--headless", "--no-remote", "--marionette", "--profile", profile.toString())
                .redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("HOME", Files.createDirectories(folder.resolve("home")).toString());
        Process process = builder.start();
        try {
            Socket socket = Await.value("Firefox can be told what to do, see " + log, START, () -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException(Files.readString(log));
                }
                return connected(port);
            });
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            Firefox firefox = new Firefox(process, socket);
            firefox.read();
            firefox.call("WebDriver:NewSession", new JsonObject());
            return firefox;
        } catch (IOException | RuntimeException | AssertionError failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    /** Nothing while nobody listens there. */
    private static Socket connected(int port) {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException notYet) {
            return null;
        }
    }

    void open(String url) throws IOException {
        call("WebDriver:Navigate", new JsonObject().put("url", url));
    }

    /** Allows the page that is open to show notifications, as a person does when the browser asks. */
    void allowNotifications() throws IOException {
        call("WebDriver:SetPermission", new JsonObject().put("descriptor", new JsonObject().put("name", "notifications")).put("state", "granted"));
    }

    /** What a function with this body returns in the page; it is waited for. */
    Object run(String body) throws IOException {
        return call("WebDriver:ExecuteScript", new JsonObject().put("script", body).put("args", new JsonArray())).getValue("value");
    }

    String text(String id) throws IOException {
        return (String) run("return document.getElementById('%s')?.textContent ?? '';".formatted(id));
    }

    private JsonObject call(String command, JsonObject parameters) throws IOException {
        last++;
        byte[] message = new JsonArray().add(0).add(last).add(command).add(parameters).encode().getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream().write((message.length + ":").getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(message);
        socket.getOutputStream().flush();
        JsonArray answer = new JsonArray(read());
        if (answer.getInteger(1) != last || answer.getValue(2) != null) {
            throw new IllegalStateException("%s: %s".formatted(command, answer.encode()));
        }
        return answer.getValue(3) instanceof JsonObject result ? result : new JsonObject();
    }

    private String read() throws IOException {
        int length = 0;
        for (int next = in.read(); next != ':'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Firefox has gone");
            }
            length = length * 10 + next - '0';
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        socket.close();
        // Its processes of pages end with it.
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
