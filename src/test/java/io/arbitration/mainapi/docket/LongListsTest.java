package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongListsTest {

    @Test
    void aCallerHasEightLongListsReadAtOnceAndAnotherIsServedBesideIt() {
        Bulkhead room = DocketLists.room();
        List<Promise<Void>> reads = new ArrayList<>();
        List<Future<Void>> lists = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Promise<Void> read = Promise.promise();
            reads.add(read);
            lists.add(room.run("a", read::future));
        }
        assertThat(room.run("a", Future::succeededFuture).cause()).hasMessage("At most 8 long lists of dockets of one caller are read at once.");
        Future<Void> another = room.run("b", Future::succeededFuture);
        reads.getFirst().complete();
        assertThat(another.succeeded()).as("before those of the caller that wait").isTrue();
        reads.forEach(Promise::tryComplete);
        assertThat(lists).allMatch(Future::succeeded);
    }
}
