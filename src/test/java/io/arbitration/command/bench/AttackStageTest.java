package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An attack that has stopped by itself is not taken for one that was held. */
class AttackStageTest {

    private static AttackStage against(int port) throws IOException {
        Person attacker = new Person("somebody", "a token");
        URI server = URI.create("http://127.0.0.1:" + port);
        return new AttackStage(server, server, "127.0.0.1", new OpenCase("a case", attacker, attacker), 1, Duration.ZERO, "");
    }

    @Test
    void anAttackOfWhichAPartFailsIsNotWhole() throws Exception {
        try (AttackStage stage = against(1)) {
            stage.together(1, () -> {
                throw new IllegalStateException("a draft too many");
            });
            assertThat(stage.course()).isEqualTo(new AttackStage.Course(0, false, "java.lang.IllegalStateException: a draft too many"));
            assertThat(stage.course().isWhole()).isFalse();
        }
    }

    @Test
    void anAttackThatReachesNothingIsNotWhole() throws Exception {
        try (AttackStage stage = against(1)) {
            CountDownLatch tried = new CountDownLatch(3);
            Thread attack = Thread.startVirtualThread(() -> play(stage, () -> {
                tried.countDown();
                throw new IOException("refused");
            }));
            tried.await();
            assertThat(stage.course()).isEqualTo(new AttackStage.Course(0, false, ""));
            stage.end();
            attack.join();
        }
    }

    @Test
    void anAttackWhoseCallsAreAnsweredOrThatHoldsAConnectionIsWhole() throws Exception {
        try (AttackStage stage = against(1)) {
            stage.together(1, stage::end);
            assertThat(stage.course()).isEqualTo(new AttackStage.Course(1, true, ""));
        }
        try (ServerSocket node = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")); AttackStage stage = against(node.getLocalPort()); Socket held = stage.connect()) {
            assertThat(held.isConnected()).isTrue();
            assertThat(stage.course()).isEqualTo(new AttackStage.Course(0, true, ""));
        }
    }

    private static void play(AttackStage stage, AttackStage.Step step) {
        try {
            stage.together(1, step);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
