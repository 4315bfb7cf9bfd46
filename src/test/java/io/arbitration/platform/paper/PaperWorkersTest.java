package io.arbitration.platform.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PaperWorkersTest {

    @Test
    void aCallerWithItsShareIsRefusedWhileAnotherIsServed(Vertx vertx) {
        PaperWorkers workers = new PaperWorkers(vertx, 16, 2);
        UUID caller = UUID.randomUUID();
        CountDownLatch held = new CountDownLatch(1);
        Future<Boolean> one = workers.make(caller, () -> await(held));
        Future<Boolean> two = workers.make(caller, () -> await(held));
        Future<Boolean> tooMany = workers.make(caller, () -> true);
        Future<Boolean> ofAnother = workers.make(UUID.randomUUID(), () -> true);
        assertThat(tooMany.cause()).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(429);
            assertThat(refusal.code()).isEqualTo("paper.caller-busy");
            assertThat(refusal).hasMessage("At most 2 PDFs of one caller are made at once.");
        });
        held.countDown();
        Await.until("all but the refused", () -> one.succeeded() && two.succeeded() && ofAnother.succeeded());
        Future<Boolean> later = workers.make(caller, () -> true);
        Await.until("a share that is free again", later::succeeded);
    }

    private static boolean await(CountDownLatch held) throws InterruptedException {
        held.await();
        return true;
    }
}
