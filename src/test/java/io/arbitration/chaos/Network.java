package io.arbitration.chaos;

import io.arbitration.OtherRuntimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The network of the nodes. Where the machine allows it, each node has a network namespace with an address of its own, connected to this
 * process by a bridge. Elsewhere all nodes are on the loopback address, and none can be disconnected.
 */
interface Network extends AutoCloseable {

    /** The address at which nodes reach this process. */
    String here();

    /** The address of a node. */
    String address(int node);

    /** The command that starts another command in the namespace of a node. */
    List<String> within(int node);

    /** Disconnects a node from the network, or connects it again. */
    void connect(int node, boolean connected);

    boolean canCut();

    @Override
    void close();

    /** Namespaces where the machine allows them, else loopback; prints the reason. */
    static Network open(int nodes) throws InterruptedException {
        Optional<String> missing = System.getProperty("chaos.network", "").equals("loopback") ? Optional.of("chaos.network is loopback")
                : !OtherRuntimes.runs("ip", "-V") ? Optional.of("there is no ip here")
                : !OtherRuntimes.runs("unshare", "-n", "true") ? Optional.of("network namespaces take rights that this user has not") : Optional.empty();
        if (missing.isEmpty()) {
            try {
                return new Namespaces(nodes);
            } catch (IOException refused) {
                missing = Optional.of(refused.getMessage());
            }
        }
        System.out.printf("no node is cut off, and all are on loopback: %s%n", missing.get());
        return new Loopback();
    }

    /** All nodes on one address. */
    final class Loopback implements Network {

        @Override
        public String here() {
            return "127.0.0.1";
        }

        @Override
        public String address(int node) {
            return "127.0.0.1";
        }

        @Override
        public List<String> within(int node) {
            return List.of();
        }

        @Override
        public void connect(int node, boolean connected) {
            throw new IllegalStateException("loopback connects always");
        }

        @Override
        public boolean canCut() {
            return false;
        }

        @Override
        public void close() {
            // Nothing was set up.
        }
    }

    /** A namespace for each node, each connected to a bridge by a pair of virtual interfaces. */
    final class Namespaces implements Network {

        private final String name = "acp%05x".formatted(ThreadLocalRandom.current().nextInt(1 << 20));
        private final String subnet = "10.%d.%d.".formatted(ThreadLocalRandom.current().nextInt(64, 127), ThreadLocalRandom.current().nextInt(256));
        private final int nodes;

        Namespaces(int nodes) throws IOException, InterruptedException {
            this.nodes = nodes;
            try {
                ip("link add %s type bridge", name);
                ip("addr add %s1/24 dev %s", subnet, name);
                ip("link set %s up", name);
                for (int node = 0; node < nodes; node++) {
                    ip("netns add %s", space(node));
                    ip("link add %s type veth peer name %s", cable(node), cable(node) + "e");
                    ip("link set %s netns %s", cable(node) + "e", space(node));
                    ip("link set %s master %s", cable(node), name);
                    ip("-n %s link set lo up", space(node));
                    ip("-n %s addr add %s/24 dev %s", space(node), address(node), cable(node) + "e");
                    ip("-n %s link set %s up", space(node), cable(node) + "e");
                    ip("link set %s up", cable(node));
                }
            } catch (IOException refused) {
                close();
                throw refused;
            }
        }

        private String space(int node) {
            return "%sn%d".formatted(name, node);
        }

        private String cable(int node) {
            return "%sv%d".formatted(name, node);
        }

        private static void ip(String format, Object... arguments) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of("ip"));
            command.addAll(List.of(format.formatted(arguments).split(" ")));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new IOException("%s: %s".formatted(String.join(" ", command), output.strip()));
            }
        }

        @Override
        public String here() {
            return subnet + 1;
        }

        @Override
        public String address(int node) {
            return subnet + (10 + node);
        }

        @Override
        public List<String> within(int node) {
            return List.of("ip", "netns", "exec", space(node));
        }

        @Override
        public void connect(int node, boolean connected) {
            try {
                ip("link set %s %s", cable(node), connected ? "up" : "down");
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }

        @Override
        public boolean canCut() {
            return true;
        }

        @Override
        public void close() {
            for (int node = 0; node < nodes; node++) {
                remove("netns del " + space(node));
                remove("link del " + cable(node));
            }
            remove("link del " + name);
        }

        private static void remove(String what) {
            try {
                ip(what);
            } catch (IOException gone) {
                // Deleting a namespace deletes its interface, and with it the other one of the pair.
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
