package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An attack in a process of its own and of the lowest priority: an attacker has a machine of its own, so its work must not be
 * what others feel here.
 */
final class AttackProcess implements AutoCloseable {

    private static final long END_SECONDS_MAX = 30;
    private static final String READY = "ready";

    private final Process process;
    private final BufferedReader printed;

    private AttackProcess(Process process) {
        this.process = process;
        this.printed = process.inputReader();
    }

    /** Starts it and waits until it is prepared. */
    static AttackProcess start(Attack attack, URI server, OpenCase own, int many) {
        List<String> command = new ArrayList<>();
        Programs.find("nice").ifPresent(nice -> command.addAll(List.of(nice.toString(), "-n", "19")));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Workbench.class.getName(), "attack",
                "--name", attack.name(), "--server", server.toString(), "--case", own.id(), "--user", own.claimant().id(), "--many", String.valueOf(many)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Not as an argument: those are shown to every user of the machine.
        builder.environment().put("ATTACK_TOKEN", own.claimant().token());
        try {
            AttackProcess started = new AttackProcess(builder.start());
            if (!READY.equals(started.printed.readLine())) {
                started.close();
                throw new BenchFailed("the attack \"%s\" did not begin".formatted(attack.name()));
            }
            return started;
        } catch (IOException failed) {
            throw new BenchFailed("the attack \"%s\" did not start".formatted(attack.name()), failed);
        }
    }

    /** Ends it; how many of its calls were answered. */
    long end() {
        try {
            process.getOutputStream().close();
            String calls = printed.readLine();
            if (calls == null || !process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new BenchFailed("an attack did not end as it should");
            }
            return Long.parseLong(calls);
        } catch (IOException failed) {
            throw new BenchFailed("an attack did not end as it should", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The other side: plays until its input ends. */
    @Command(name = "attack", hidden = true, description = "One attack of the abuse benchmark.")
    static final class Attacker implements Callable<Integer> {

        @Option(names = "--name", required = true)
        private String name;

        @Option(names = "--server", required = true)
        private URI server;

        @Option(names = "--case", required = true)
        private String caseId;

        @Option(names = "--user", required = true)
        private String userId;

        @Option(names = "--many", required = true)
        private int many;

        @Override
        public Integer call() throws Exception {
            Attack attack = Attacks.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
            Person attacker = new Person(userId, System.getenv("ATTACK_TOKEN"));
            try (AttackStage stage = new AttackStage(server, new OpenCase(caseId, attacker, attacker), many)) {
                attack.preparation().play(stage);
                System.out.println(READY);
                Thread playing = Thread.ofPlatform().start(() -> play(attack, stage));
                while (System.in.read() >= 0) {
                    // Nothing is said; the end of the input ends the attack.
                }
                stage.close();
                playing.join(Duration.ofSeconds(END_SECONDS_MAX));
                System.out.println(stage.calls());
            }
            return 0;
        }

        private static void play(Attack attack, AttackStage stage) {
            try {
                attack.script().play(stage);
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            } catch (Exception broken) {
                Report.progress("the attack was broken off: " + broken);
            }
        }
    }
}
