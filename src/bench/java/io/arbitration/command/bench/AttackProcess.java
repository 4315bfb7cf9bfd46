package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/**
 * Attackers in a process of their own and of a lower priority than the platform: an attacker has a machine of its own, so its work must not
 * be what others feel here. It is told over its input what to prepare, when to begin and when to end.
 */
final class AttackProcess implements AutoCloseable {

    private static final long END_SECONDS_MAX = 30;
    private static final String READY = "ready";
    private static final String BEGIN = "begin";
    private static final String END = "end";

    private final Process process;
    private final BufferedReader printed;
    private final BufferedWriter told;
    private int prepared;

    private AttackProcess(Process process) {
        this.process = process;
        this.printed = process.inputReader();
        this.told = process.outputWriter();
    }

    /**
     * Starts the process.
     *
     * @param nicer by how much its priority is lower than that of this process, 0 to 19
     */
    static AttackProcess start(int nicer) {
        List<String> command = new ArrayList<>();
        Programs.find("nice").ifPresent(nice -> command.addAll(List.of(nice.toString(), "-n", String.valueOf(nicer))));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Workbench.class.getName(), "attack"));
        try {
            return new AttackProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException failed) {
            throw new BenchFailed("the process of the attacks did not start", failed);
        }
    }

    /**
     * Has an attacker prepare its attack.
     *
     * @param server the node that is attacked
     * @param other the other node of the platform
     * @param address that it comes from
     * @param rest between two steps of a thread of the attack
     * @param given what the groundwork of the attack said
     */
    void prepare(Attack attack, URI server, URI other, String address, OpenCase own, int many, Duration rest, String given) {
        // Over the input and not as arguments: those are shown to every user of the machine, and there is a token in it.
        tell(new JsonObject().put("attack", attack.name()).put("server", server.toString()).put("other", other.toString()).put("address", address)
                .put("case", own.id()).put("user", own.claimant().id()).put("token", own.claimant().token()).put("many", many)
                .put("restMillis", rest.toMillis()).put("given", given).encode());
        if (!READY.equals(answer())) {
            throw new BenchFailed("the attack \"%s\" could not be prepared".formatted(attack.name()));
        }
        prepared++;
    }

    /** All that is prepared is played from now on. */
    void begin() {
        tell(BEGIN);
    }

    /** Ends them; what each did until then, in the order in which they were prepared. */
    List<AttackStage.Course> end() {
        tell(END);
        List<AttackStage.Course> courses = new ArrayList<>();
        for (; prepared > 0; prepared--) {
            courses.add(course(new JsonObject(answer())));
        }
        return courses;
    }

    private static AttackStage.Course course(JsonObject told) {
        return new AttackStage.Course(told.getLong("calls"), told.getBoolean("goesOn"), told.getString("broken"));
    }

    private void tell(String line) {
        try {
            told.write(line + "\n");
            told.flush();
        } catch (IOException ended) {
            throw new BenchFailed("the process of the attacks has ended", ended);
        }
    }

    private String answer() {
        try {
            String line = printed.readLine();
            if (line == null) {
                throw new BenchFailed("the process of the attacks has ended");
            }
            return line;
        } catch (IOException ended) {
            throw new BenchFailed("the process of the attacks has ended", ended);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The other side. */
    @Command(name = "attack", hidden = true, description = "The attackers of the abuse benchmark.")
    static final class Attacker implements Callable<Integer> {

        private record Playing(AttackStage stage, Attack attack, Thread thread) {}

        private final List<Playing> playing = new ArrayList<>();

        @Override
        public Integer call() throws Exception {
            BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                switch (line) {
                    case BEGIN -> playing.forEach(one -> one.thread().start());
                    case END -> end();
                    default -> prepare(new JsonObject(line));
                }
            }
            return 0;
        }

        private void prepare(JsonObject wanted) throws Exception {
            Attack attack = Attacks.all().stream().filter(one -> one.name().equals(wanted.getString("attack"))).findFirst().orElseThrow();
            Person attacker = new Person(wanted.getString("user"), wanted.getString("token"));
            AttackStage stage = new AttackStage(URI.create(wanted.getString("server")), URI.create(wanted.getString("other")), wanted.getString("address"),
                    new OpenCase(wanted.getString("case"), attacker, attacker), wanted.getInteger("many"),
                    Duration.ofMillis(wanted.getLong("restMillis")), wanted.getString("given"));
            attack.preparation().play(stage);
            playing.add(new Playing(stage, attack, Thread.ofPlatform().daemon().unstarted(() -> play(attack, stage))));
            System.out.println(READY);
        }

        private void end() throws InterruptedException {
            List<AttackStage.Course> courses = playing.stream().map(one -> one.stage().course()).toList();
            playing.forEach(one -> one.stage().close());
            long bound = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS_MAX);
            for (Playing one : playing) {
                if (!one.thread().join(Duration.ofNanos(Math.max(1, bound - System.nanoTime())))) {
                    Report.progress("the attack \"%s\" did not end".formatted(one.attack().name()));
                }
            }
            courses.forEach(course -> System.out.println(JsonObject.of("calls", course.calls(), "goesOn", course.goesOn(), "broken", course.broken()).encode()));
            playing.clear();
        }

        private static void play(Attack attack, AttackStage stage) {
            try {
                attack.script().play(stage);
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            } catch (Exception broken) {
                stage.breakOff(broken);
            }
        }
    }
}
