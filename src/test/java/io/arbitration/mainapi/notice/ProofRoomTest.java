package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class ProofRoomTest {

    @Test
    void aCallerHasTwoProofsMadeAtOnceAndAnotherIsServedBesideIt() {
        Bulkhead room = ProofService.room();
        room.enter("a");
        room.enter("a");
        assertThatThrownBy(() -> room.enter("a")).hasMessage("At most 2 proofs of service of one caller are made at once.");
        room.enter("b");
        Bulkhead.Permit last = room.enter("b");
        Promise<Void> made = Promise.promise();
        Future<Void> waits = room.run("c", made::future);
        assertThat(waits.isComplete()).as("waits instead of being refused").isFalse();
        assertThat(room.waiting()).isEqualTo(1);
        last.close();
        made.complete();
        assertThat(waits.succeeded()).isTrue();
    }
}
