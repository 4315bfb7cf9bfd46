package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class BulkheadTest {

    private static final class Full extends RuntimeException {}

    private static final class HasItsShare extends RuntimeException {}

    private static Bulkhead bulkhead(long most, long mostPerCaller, int waitingMax) {
        return new Bulkhead(new Bulkhead.Bounds(most, mostPerCaller, waitingMax), Full::new, HasItsShare::new);
    }

    @Test
    void aCallerWithItsShareIsRefusedWhileAnotherIsAdmitted() {
        Bulkhead bulkhead = bulkhead(3, 2, 0);
        bulkhead.acquire("a");
        bulkhead.acquire("a");
        assertThatThrownBy(() -> bulkhead.acquire("a")).isInstanceOf(HasItsShare.class);
        bulkhead.acquire("b");
        assertThatThrownBy(() -> bulkhead.acquire("c")).isInstanceOf(Full.class);
    }

    @Test
    void whatHasEndedMakesRoomOnce() {
        Bulkhead bulkhead = bulkhead(2, 2, 0);
        Bulkhead.Permit one = bulkhead.acquire("a");
        bulkhead.acquire("a");
        one.close();
        one.close();
        assertThat(bulkhead.running()).isEqualTo(1);
        bulkhead.acquire("a");
        assertThatThrownBy(() -> bulkhead.acquire("b")).isInstanceOf(Full.class);
    }

    @Test
    void workIsWeighedAndOneThatIsTooHeavyForAllTheRoomIsAdmittedAlone() {
        Bulkhead bulkhead = bulkhead(10, 8, 0);
        Bulkhead.Permit heavy = bulkhead.acquire("a", 25);
        assertThatThrownBy(() -> bulkhead.acquire("b", 1)).isInstanceOf(Full.class);
        heavy.close();
        bulkhead.acquire("a", 5);
        assertThatThrownBy(() -> bulkhead.acquire("a", 4)).isInstanceOf(HasItsShare.class);
        bulkhead.acquire("b", 5);
        assertThat(bulkhead.running()).isEqualTo(10);
    }

    /** One caller with a long queue must not keep another waiting for all of it. */
    @Test
    void theNextIsOneOfTheCallerWithTheLeastUnderWay() {
        Bulkhead bulkhead = bulkhead(2, 10, 10);
        List<String> begun = new ArrayList<>();
        List<Promise<Void>> work = new ArrayList<>();
        for (String caller : List.of("a", "a", "a", "a", "b")) {
            bulkhead.run(caller, () -> {
                begun.add(caller);
                Promise<Void> done = Promise.promise();
                work.add(done);
                return done.future();
            });
        }
        assertThat(begun).containsExactly("a", "a");
        assertThat(bulkhead.waiting()).isEqualTo(3);
        work.get(0).complete();
        assertThat(begun).containsExactly("a", "a", "b");
        work.get(1).complete();
        work.get(2).complete();
        assertThat(begun).containsExactly("a", "a", "b", "a", "a");
    }

    @Test
    void workThatFailsOrThrowsMakesRoomToo() {
        Bulkhead bulkhead = bulkhead(1, 1, 0);
        assertThat(bulkhead.run("a", () -> Future.failedFuture("no")).failed()).isTrue();
        assertThat(bulkhead.run("a", () -> {
            throw new IllegalStateException("no");
        }).cause()).hasMessage("no");
        assertThat(bulkhead.running()).isZero();
        assertThat(bulkhead.run("a", () -> Future.succeededFuture("done")).result()).isEqualTo("done");
    }

    @Test
    void beyondThoseWhoMayWaitItIsRefused() {
        Bulkhead bulkhead = bulkhead(1, 5, 1);
        Promise<Void> first = Promise.promise();
        bulkhead.run("a", first::future);
        AtomicInteger ran = new AtomicInteger();
        Future<Integer> second = bulkhead.run("b", () -> Future.succeededFuture(ran.incrementAndGet()));
        assertThat(bulkhead.run("c", () -> Future.succeededFuture(ran.incrementAndGet())).cause()).isInstanceOf(Full.class);
        assertThat(ran.get()).isZero();
        first.complete();
        assertThat(second.result()).isEqualTo(1);
    }

    /** On the context of another request it would log and trace as that one. */
    @Test
    void whoWaitedGoesOnOnItsOwnContext(Vertx vertx) {
        Bulkhead bulkhead = bulkhead(1, 5, 5);
        Promise<Void> first = Promise.promise();
        bulkhead.run("a", first::future);
        Context own = vertx.getOrCreateContext();
        Promise<Boolean> wentOn = Promise.promise();
        own.runOnContext(go -> bulkhead.run("b", () -> Future.succeededFuture(Vertx.currentContext() == own)).onComplete(wentOn));
        Await.until("one waits", () -> bulkhead.waiting() == 1);
        vertx.runOnContext(elsewhere -> first.complete());
        assertThat(Await.result(wentOn.future())).isTrue();
    }

    /** Machine clients cost an organization nothing: however many it makes, places stay free for others. */
    @Test
    void manyCallersOfOneTenantHaveHalfOfThePlacesAtMostAndOfTwoAThirdEach(Vertx vertx) {
        Bulkhead bulkhead = bulkhead(90, 2, 0);
        assertThat(entered(vertx, bulkhead, "one", 200)).isEqualTo(45);
        assertThat(entered(vertx, bulkhead, "two", 200)).as("half of what the first has left").isEqualTo(23);
        assertThat(bulkhead.running()).isEqualTo(68);
        assertThat(entered(vertx, bulkhead, "three", 1)).as("another finds room").isEqualTo(1);
        bulkhead.acquire("alone");
        bulkhead.acquire("alone");
    }

    @Test
    void ofThoseWhoWaitTheNextIsOneOfTheTenantWithTheLeastUnderWay(Vertx vertx) {
        Bulkhead bulkhead = bulkhead(2, 2, 20);
        List<String> begun = new CopyOnWriteArrayList<>();
        Promise<Void> first = Promise.promise();
        for (String caller : List.of("one 1", "one 2", "one 3", "one 4", "two 1")) {
            on(vertx, caller, caller.substring(0, 3), () -> bulkhead.run(caller, () -> {
                begun.add(caller);
                return begun.size() == 1 ? first.future() : Promise.<Void>promise().future();
            }));
        }
        assertThat(begun).containsExactly("one 1", "one 2");
        first.complete();
        Await.until("the next has begun", () -> begun.size() == 3);
        assertThat(begun).containsExactly("one 1", "one 2", "two 1");
    }

    /** Work that has begun cannot be interrupted, so that places must be free before another tenant comes. */
    @Test
    void aTenantThatHasAsManyUnderWayAsItMayWaitsBesideFreePlaces(Vertx vertx) {
        Bulkhead bulkhead = new Bulkhead(new Bulkhead.Bounds(3, 100, 100, 2), Full::new, HasItsShare::new);
        List<String> begun = new CopyOnWriteArrayList<>();
        Promise<Void> first = Promise.promise();
        for (String caller : List.of("one 1", "one 2", "one 3", "one 4", "two 1", "two 2")) {
            on(vertx, caller, caller.substring(0, 3), () -> bulkhead.run(caller, () -> {
                begun.add(caller);
                return begun.size() == 1 ? first.future() : Promise.<Void>promise().future();
            }));
        }
        assertThat(begun).containsExactly("one 1", "one 2", "two 1");
        assertThat(bulkhead.waiting()).isEqualTo(3);
        first.complete();
        Await.until("the next has begun", () -> begun.size() == 4);
        assertThat(begun).as("of each tenant one is under way, and the first of those who wait is next").endsWith("one 3");
        on(vertx, "one 5", "one", () -> assertThatThrownBy(() -> bulkhead.acquire("one 5")).isInstanceOf(Full.class));
    }

    private static int entered(Vertx vertx, Bulkhead bulkhead, String tenant, int callers) {
        AtomicInteger entered = new AtomicInteger();
        for (int i = 0; i < callers; i++) {
            String caller = tenant + " " + i;
            on(vertx, caller, tenant, () -> {
                try {
                    bulkhead.acquire(caller);
                    entered.incrementAndGet();
                } catch (Refusal refused) {
                    assertThat(refused.status()).isEqualTo(429);
                }
            });
        }
        return entered.get();
    }

    /** As on the context of a request of that caller. */
    private static void on(Vertx vertx, String caller, String tenant, Runnable act) {
        Promise<Void> done = Promise.promise();
        ((ContextInternal) vertx.getOrCreateContext()).duplicate().runOnContext(on -> {
            WorkOwner.begin(vertx, caller, tenant);
            act.run();
            done.complete();
        });
        Await.until("it is done", () -> done.future().isComplete());
    }
}
