package io.arbitration.command.bench;

import io.arbitration.command.bench.Attack.Node;
import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.HonestCaller.Worked;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Plays attacks against a platform with the bounds and rates of production while an honest caller works. None of that caller's
 * calls may fail, and its p99 stays below the larger of five times its p99 alone and 250 ms. A proof ({@code --quick}) shares the
 * machine with other work, which is felt as an attack is: there a call fails that is not answered within 20 seconds. The p99 is printed, beside that of
 * a caller of the node that is not attacked at the same time, and not judged.
 */
@Command(name = "abuse", description = "What an honest caller feels of each attack; exit code 1: too much.", mixinStandardHelpOptions = true)
final class AbuseBench implements Callable<Integer> {

    private static final double BOUND_MILLIS = 250;
    private static final double BOUND_RATIO = 5;
    private static final int QUIET_SECONDS_MAX = 5;
    /** What other work of the machine made slow is often not slow again, and two halves cost more than one more try. */
    private static final int TRIES_TOGETHER = 2;
    private static final int NICER = 19;
    /** The attackers of a proof share the processors with other work beside the platform: with the lowest priority they would reach nothing. */
    private static final int NICER_QUICK = 5;
    private static final Duration TIME_QUICK = Duration.ofSeconds(1);
    private static final Duration QUIET_TIME_QUICK = Duration.ofMillis(300);
    private static final int MANY = 60;
    private static final int MANY_QUICK = 20;
    /** Sixteen threads of an attack then still take 800 steps in a second, far more than a caller may; without it they would take the processors. */
    private static final Duration REST_QUICK = Duration.ofMillis(20);
    private static final String ROW = "%-24s %6d calls, %d failed, p50 %7.2f ms, p99 %8.2f ms; alone p50 %6.2f ms, p99 %7.2f ms; %d calls of the attack%s: %s";

    @Option(names = "--quick", description = "Each attack for a second and with a third of its means, also beside other work of the machine: the p99 is printed and not judged.")
    private boolean quick;

    @Option(names = "--together", defaultValue = "1",
            description = "So many attackers at once, each with an attack of its own; those that are felt together are played again one by one (${DEFAULT-VALUE}).")
    private int together;

    @Option(names = "--seconds", defaultValue = "20", description = "Seconds of each attack (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--attack", paramLabel = "NAME", description = "Only this one; may be given several times.")
    private List<String> only = List.of();

    @Option(names = "--tries", defaultValue = "1",
            description = "How often an attack is played whose bound on the p99 is missed: other work of the machine is felt too (${DEFAULT-VALUE}).")
    private int tries;

    private final List<String> felt = new ArrayList<>();
    private int attackers;

    /** The two nodes with an honest caller at each, and the attackers. */
    private record Scene(Map<Node, ServerProcess> nodes, Map<Node, HonestCaller> callers, BenchPeople people, Person manager, AttackProcess attacking) {}

    @Override
    public Integer call() throws IOException {
        List<Attack> attacks = Attacks.all().stream().filter(attack -> only.isEmpty() || only.contains(attack.name())).toList();
        boolean allTogether = only.isEmpty() && !quick || only.contains(Attacks.TOGETHER);
        if (attacks.size() + (allTogether ? 1 : 0) < Math.max(1, Set.copyOf(only).size())) {
            throw new BenchFailed("not all attacks are named as in %s; there are %s and %s".formatted(only, Attacks.all().stream().map(Attack::name).toList(), Attacks.TOGETHER));
        }
        try (SilentModel model = SilentModel.open(); SilentProvider provider = SilentProvider.open(); BenchSite site = BenchSite.open(Optional.empty());
                ServerProcess clear = site.start(settings(site, model, provider));
                ServerProcess secure = site.startBeside(ofSecondNode(site, model, provider));
                BenchPeople people = new BenchPeople(clear.address(), site); AttackProcess attacking = AttackProcess.start(quick ? NICER_QUICK : NICER)) {
            Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
            List<OpenCase> work = people.openCases(2, List.of(people.claimant(0), people.claimant(1)), List.of(manager));
            try (HonestCaller honest = new HonestCaller(clear.address(), people, work.get(0));
                    HonestCaller honestOverTls = new HonestCaller(secure.address(), people, work.get(1))) {
                Report.progress("warming up");
                honest.work(Duration.ofSeconds(quick ? 2 : 20), attacks.stream().map(Attack::alike).collect(Collectors.toSet()));
                honestOverTls.work(Duration.ofSeconds(quick ? 1 : 10), Set.of());
                Report.title("An honest caller beside each attack");
                Scene scene = new Scene(Map.of(Node.CLEAR, clear, Node.TLS, secure), Map.of(Node.CLEAR, honest, Node.TLS, honestOverTls), people, manager, attacking);
                for (Node node : Node.values()) {
                    List<Attack> there = attacks.stream().filter(attack -> attack.node() == node).toList();
                    for (int i = 0; i < there.size(); i += together) {
                        play(scene, there.subList(i, Math.min(there.size(), i + together)));
                    }
                }
                if (allTogether) {
                    playTogether(scene);
                }
            }
        }
        Report.line("%s", felt.isEmpty() ? "no attack was felt" : "felt: " + String.join(", ", felt));
        return felt.isEmpty() ? 0 : 1;
    }

    private Map<String, String> settings(BenchSite site, SilentModel model, SilentProvider provider) {
        site.addProvider(SilentProvider.NAME, provider.issuer());
        Map<String, String> settings = new HashMap<>(Map.of("ACP_RATE_LIMIT_PER_CALLER", quick ? "100" : "500", "ACP_RATE_LIMIT_PER_ADDRESS", "20",
                "ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.1/32", "ACP_EVIDENCE_CASE_BYTES_MAX", "20000000", "ACP_EVIDENCE_USER_BYTES_MAX", "20000000",
                "ACP_BROWSER_DEADLINE_MILLIS", quick ? "3000" : "15000", "ACP_AI_BASE_URL", model.address(),
                "ACP_EMAILS_RETURN_PATH", "bounces@bench.example", "ACP_EMAILS_BOUNCES_MAILDIR", site.bounces().toString()));
        settings.putAll(Map.of("ACP_EMAILS_BOUNCES_POLL_SECONDS", "1", "ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "50", "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", "200",
                // One award at a time, so that the bounds of a node that has a model fit the heap of one that has none.
                "ACP_AI_AWARDS_AT_ONCE", "1", "ACP_AI_AWARDS_PER_CALLER", "1", "ACP_HTTP_TRUSTED_PROXIES", HonestCaller.PROXY));
        return settings;
    }

    /** TLS, and a disk that counts as nearly full. */
    private Map<String, String> ofSecondNode(BenchSite site, SilentModel model, SilentProvider provider) {
        Map<String, String> settings = settings(site, model, provider);
        settings.putAll(site.tls());
        settings.put("ACP_MANAGEMENT_DISK_FREE_BYTES_MIN", String.valueOf(1L << 50));
        return settings;
    }

    private void play(Scene scene, List<Attack> attacks) {
        if (attacks.size() == 1) {
            if (!held(scene, attacks, tries, true)) {
                felt.add(attacks.getFirst().name());
            }
        } else if (!held(scene, attacks, TRIES_TOGETHER, false)) {
            // By halves, so that whatever is not felt is found so quickly.
            Report.progress("felt together: %s".formatted(attacks.stream().map(Attack::name).toList()));
            play(scene, attacks.subList(0, attacks.size() / 2));
            play(scene, attacks.subList(attacks.size() / 2, attacks.size()));
        }
    }

    /** The report has one line of all. A proof leaves this out: it plays some at once anyway, and as many as here would ask too much of a busy machine. */
    private void playTogether(Scene scene) {
        Optional<String> name = Optional.of(Attacks.TOGETHER);
        if (!held(scene, Attacks.together(), tries, true, name)) {
            felt.add(Attacks.TOGETHER);
        }
    }

    /** What the honest caller of a node felt, and what that of the other node did at the same time. */
    private record Felt(Worked here, Worked elsewhere) {}

    private static Felt work(Scene scene, Node node, Duration time, Set<Alike> alike) {
        CompletableFuture<Worked> elsewhere = CompletableFuture.supplyAsync(
                () -> scene.callers().get(node == Node.CLEAR ? Node.TLS : Node.CLEAR).work(time, Set.of()), Thread::startVirtualThread);
        return new Felt(scene.callers().get(node).work(time, alike), elsewhere.join());
    }

    private boolean held(Scene scene, List<Attack> attacks, int most, boolean alone) {
        return held(scene, attacks, most, alone, Optional.empty());
    }

    /** @param together the name of all as one; empty: each has a line of its own */
    private boolean held(Scene scene, List<Attack> attacks, int most, boolean alone, Optional<String> together) {
        Node node = attacks.getFirst().node();
        Set<Alike> alike = attacks.stream().map(Attack::alike).collect(Collectors.toSet());
        Duration time = quick ? TIME_QUICK : Duration.ofSeconds(seconds);
        for (int left = most; ; left--) {
            Felt before = work(scene, node, quick ? QUIET_TIME_QUICK : Duration.ofSeconds(Math.min(seconds, QUIET_SECONDS_MAX)), Set.of());
            Worked quiet = before.here();
            List<String> addresses = attacks.stream().map(attack -> prepare(scene, attack)).toList();
            // At the last moment: the connection of a neighbour must not have been idle for long.
            for (int i = 0; i < attacks.size(); i++) {
                if (attacks.get(i).alike() == Alike.NEIGHBOUR) {
                    scene.callers().get(node).settleAt(addresses.get(i));
                }
            }
            scene.attacking().begin();
            Felt meanwhile = work(scene, node, time, alike);
            Worked beside = meanwhile.here();
            List<AttackStage.Course> courses = scene.attacking().end();
            Load compared = (quick ? meanwhile.elsewhere() : quiet).load();
            boolean quickEnough = quick || beside.load().p99Millis() <= Math.max(BOUND_MILLIS, BOUND_RATIO * quiet.load().p99Millis());
            boolean played = courses.stream().allMatch(AttackStage.Course::isWhole);
            boolean held = beside.failures().isEmpty() && quickEnough && played;
            if (held || alone && (left <= 1 || !beside.failures().isEmpty())) {
                List<AttackStage.Course> told = together.isPresent() ? List.of(AttackStage.Course.ofAll(courses)) : courses;
                for (int i = 0; i < told.size(); i++) {
                    Report.line(ROW, together.orElse(attacks.get(i).name()), beside.load().answers(), beside.failures().size(), beside.load().p50Millis(), beside.load().p99Millis(),
                            compared.p50Millis(), compared.p99Millis(), told.get(i).calls(), fault(told.get(i)), result(held, told.get(i)));
                }
                beside.failures().stream().distinct().limit(3).forEach(failure -> Report.line("    %s", failure));
                return held;
            }
            if (left <= 1 || !beside.failures().isEmpty()) {
                Report.progress("p99 %.0f ms, %d failed %s, the attacks %s".formatted(beside.load().p99Millis(), beside.failures().size(),
                        beside.failures().stream().limit(1).toList(), courses));
                return false;
            }
        }
    }

    private static String fault(AttackStage.Course course) {
        return course.isWhole() ? "" : ", which %s".formatted(course.broken().isEmpty() ? "reached nothing in its last second" : "broke off: " + course.broken());
    }

    private static String result(boolean held, AttackStage.Course course) {
        return held ? "held" : course.isWhole() ? "FELT" : "NOT PLAYED";
    }

    /** The address of an attacker of its own, so that no attack is held back by what the one before has used up. */
    private String prepare(Scene scene, Attack attack) {
        attackers++;
        OpenCase own = scene.people().openCases(1, List.of(scene.people().signIn("attacker-%d@bench.example".formatted(attackers), "Mal", "Lory")),
                List.of(scene.manager())).getFirst();
        Node other = attack.node() == Node.CLEAR ? Node.TLS : Node.CLEAR;
        if (attack.alike() == Alike.OTHER_SIDE) {
            scene.callers().get(attack.node()).respondIn(own, scene.people());
        }
        String address = attack.alike() == Alike.PROXIED ? HonestCaller.PROXY : "127.0.%d.%d".formatted(1 + attackers / 250, 2 + attackers % 250);
        scene.attacking().prepare(attack, scene.nodes().get(attack.node()).address(), scene.nodes().get(other).address(), address, own, quick ? MANY_QUICK : MANY, quick ? REST_QUICK : Duration.ZERO,
                attack.groundwork().lay(scene.people(), own));
        return address;
    }
}
