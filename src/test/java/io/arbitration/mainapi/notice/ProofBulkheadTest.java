package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class ProofBulkheadTest {

    @Test
    void aCallerHasTwoProofsMadeAtOnceAndAnotherIsServedBesideIt() {
        Bulkhead bulkhead = ProofService.bulkhead();
        bulkhead.acquire("a");
        bulkhead.acquire("a");
        assertThatThrownBy(() -> bulkhead.acquire("a")).hasMessage("At most 2 proofs of service of one caller are made at once.");
        bulkhead.acquire("b");
        Bulkhead.Permit last = bulkhead.acquire("b");
        Promise<Void> made = Promise.promise();
        Future<Void> waits = bulkhead.run("c", made::future);
        assertThat(waits.isComplete()).as("waits instead of being refused").isFalse();
        assertThat(bulkhead.waiting()).isEqualTo(1);
        last.close();
        made.complete();
        assertThat(waits.succeeded()).isTrue();
    }
}
