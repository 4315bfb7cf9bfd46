package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.HonestCaller.Worked;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Plays attacks against a platform with the bounds and rates of production while an honest caller works. None of that caller's
 * calls may fail, and its p99 stays below the larger of five times its p99 alone and 250 ms.
 */
@Command(name = "abuse", description = "What an honest caller feels of each attack; exit code 1: too much.", mixinStandardHelpOptions = true)
final class AbuseBench implements Callable<Integer> {

    private static final double BOUND_MILLIS = 250;
    private static final double BOUND_RATIO = 5;
    private static final String ROW = "%-22s %6d calls, %d failed, p50 %7.2f ms, p99 %8.2f ms; alone p50 %6.2f ms, p99 %7.2f ms; %d calls of the attack: %s";

    @Option(names = "--quick", description = "Each attack for 1.5 s and with a third of its means: a proof, not a measurement.")
    private boolean quick;

    @Option(names = "--seconds", defaultValue = "20", description = "Seconds of each attack (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--attack", paramLabel = "NAME", description = "Only this one; may be given several times.")
    private List<String> only = List.of();

    @Option(names = "--tries", defaultValue = "1",
            description = "How often an attack is played whose bound on the p99 is missed: other work of the machine is felt too (${DEFAULT-VALUE}).")
    private int tries;

    @Override
    public Integer call() throws IOException {
        List<Attack> attacks = Attacks.all().stream().filter(attack -> only.isEmpty() || only.contains(attack.name())).toList();
        if (attacks.isEmpty()) {
            throw new BenchFailed("no attack is named %s; there are %s".formatted(only, Attacks.all().stream().map(Attack::name).toList()));
        }
        List<String> felt = new ArrayList<>();
        try (BenchSite site = BenchSite.open(Optional.empty());
                ServerProcess server = site.start(Map.of("ACP_RATE_LIMIT_PER_CALLER", "500", "ACP_RATE_LIMIT_PER_ADDRESS", "20",
                        "ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.1/32"));
                BenchPeople people = new BenchPeople(server.address(), site)) {
            Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
            OpenCase work = people.openCases(1, List.of(people.claimant(0)), List.of(manager)).getFirst();
            try (HonestCaller honest = new HonestCaller(server.address(), people, work)) {
                Report.progress("warming up");
                honest.work(Duration.ofSeconds(quick ? 2 : 20));
                Report.title("An honest caller beside each attack");
                for (int i = 0; i < attacks.size(); i++) {
                    // An attacker of its own each, so that no attack is held back by what the one before has used up.
                    OpenCase own = people.openCases(1, List.of(people.signIn("attacker-%d@bench.example".formatted(i), "Mal", "Lory")), List.of(manager)).getFirst();
                    if (!held(server, honest, own, attacks.get(i))) {
                        felt.add(attacks.get(i).name());
                    }
                }
            }
        }
        Report.line("%s", felt.isEmpty() ? "no attack was felt" : "felt: " + String.join(", ", felt));
        return felt.isEmpty() ? 0 : 1;
    }

    private boolean held(ServerProcess server, HonestCaller honest, OpenCase own, Attack attack) throws IOException {
        Duration time = quick ? Duration.ofMillis(1500) : Duration.ofSeconds(seconds);
        for (int left = tries; ; left--) {
            Worked alone = honest.work(quick ? Duration.ofMillis(500) : time);
            Worked beside;
            long calls;
            try (AttackProcess attacking = AttackProcess.start(attack, server.address(), own, quick ? 20 : 60)) {
                beside = honest.work(time);
                calls = attacking.end();
            }
            boolean quickEnough = beside.load().p99Millis() <= Math.max(BOUND_MILLIS, BOUND_RATIO * alone.load().p99Millis());
            boolean held = beside.failures().isEmpty() && quickEnough;
            if (held || left <= 1 || !beside.failures().isEmpty()) {
                Report.line(ROW, attack.name(), beside.load().answers(), beside.failures().size(), beside.load().p50Millis(), beside.load().p99Millis(),
                        alone.load().p50Millis(), alone.load().p99Millis(), calls, held ? "held" : "FELT");
                beside.failures().stream().distinct().limit(3).forEach(failure -> Report.line("    %s", failure));
                return held;
            }
        }
    }
}
