package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The libraries of Standard Webhooks in other languages accept a delivery as it came, and refuse it when anything is changed. That of Java
 * does so in {@link DeliveryIT}. Each program of {@code dev/verifiers} ends with 0 for what is genuine and with 3 for what is refused.
 */
class VerifiersIT {

    private static final Path PROGRAMS = Path.of("dev/verifiers").toAbsolutePath();
    private static final int REFUSED = 3;
    private static final int SECONDS_MAX = 60;

    @ParameterizedTest
    @ValueSource(strings = {"Python", "JavaScript", "Go", "Rust"})
    void aDeliveryIsAcceptedAsItCameAndRefusedWhenItIsChanged(String language) throws Exception {
        assumeTrue(OtherRuntimes.counterparts("the library of Standard Webhooks in " + language), "left to ./acp judge");
        Optional<ProcessBuilder> found = verifier(language);
        assumeTrue(found.isPresent(), "no library of Standard Webhooks in " + language);
        ProcessBuilder verifier = found.get();
        Hooked hooked = Hooked.on(RunningPlatform.shared());
        try (Receiver receiver = new Receiver()) {
            String secret = hooked.register(receiver.url());
            hooked.docket();
            Receiver.Received received = receiver.next();
            JsonObject delivery = new JsonObject().put("secret", secret).put("body", received.body()).put("headers", headers(received));
            assertThat(exitCode(verifier, delivery)).as("as it came").isZero();
            assertThat(exitCode(verifier, delivery.copy().put("body", received.body().replace("docket_filing", "docket_filinG")))).as("another body").isEqualTo(REFUSED);
            assertThat(exitCode(verifier, delivery.copy().put("secret", hooked.register(receiver.url() + "/other")))).as("another secret").isEqualTo(REFUSED);
            JsonObject older = headers(received);
            older.put("webhook-timestamp", String.valueOf(Long.parseLong(received.header("webhook-timestamp")) - 1));
            assertThat(exitCode(verifier, delivery.copy().put("headers", older))).as("another time").isEqualTo(REFUSED);
        }
    }

    private static JsonObject headers(Receiver.Received received) {
        JsonObject headers = new JsonObject();
        Signatures.headers(received).forEach((name, values) -> headers.put(name, values.getFirst()));
        return headers;
    }

    private static Optional<ProcessBuilder> verifier(String language) throws InterruptedException {
        return switch (language) {
            case "Python" -> OtherRuntimes.python("standardwebhooks==1.1.0").map(python -> process(python.toString(), PROGRAMS.resolve("verify.py").toString()));
            case "JavaScript" -> OtherRuntimes.node("standardwebhooks@1.1.1").map(modules -> {
                ProcessBuilder node = process("node", PROGRAMS.resolve("verify.cjs").toString());
                node.environment().put("NODE_PATH", modules.resolve("node_modules").toString());
                return node;
            });
            case "Go" -> built("verify-go", "go", "build", "-C", PROGRAMS.resolve("go").toString(), "-o", target("verify-go").toString(), ".");
            case "Rust" -> built("verify-rust/debug/verify", "cargo", "build", "--quiet", "--locked", "--manifest-path", PROGRAMS.resolve("rust/Cargo.toml").toString(),
                    "--target-dir", target("verify-rust").toString());
            default -> throw new IllegalArgumentException(language);
        };
    }

    /** The program that a command builds; empty, with the reason printed, where it cannot be built. */
    private static Optional<ProcessBuilder> built(String program, String... command) throws InterruptedException {
        if (OtherRuntimes.runs(command)) {
            return Optional.of(process(target(program).toString()));
        }
        System.out.printf("skipped: this does not run here: %s%n", String.join(" ", command));
        return Optional.empty();
    }

    private static Path target(String name) {
        return Path.of("target", name).toAbsolutePath();
    }

    private static ProcessBuilder process(String... command) {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.INHERIT);
    }

    private static int exitCode(ProcessBuilder verifier, JsonObject delivery) throws Exception {
        Process process = verifier.start();
        try (var in = process.getOutputStream()) {
            in.write(delivery.encode().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        return process.exitValue();
    }
}
