package io.arbitration.mainapi.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.StandingClock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GivingWayTest {

    private final Instant begin = Instant.parse("2026-03-02T09:00:00Z");
    private final StandingClock clock = new StandingClock(begin);
    private final AtomicBoolean peopleWait = new AtomicBoolean();
    private final GivingWay givingWay = new GivingWay(peopleWait::get, clock);

    @Test
    void nothingIsBegunWhilePeopleWaitButAtTheLatestAfterSomeSeconds() {
        assertThat(givingWay.mayBegin()).isTrue();
        peopleWait.set(true);
        assertThat(givingWay.mayBegin()).isFalse();
        clock.set(begin.plus(GivingWay.MOST).minusMillis(1));
        assertThat(givingWay.mayBegin()).isFalse();
        clock.set(begin.plus(GivingWay.MOST));
        assertThat(givingWay.mayBegin()).isTrue();
        clock.set(begin.plus(GivingWay.MOST).plusSeconds(60));
        assertThat(givingWay.mayBegin()).as("as long as there is no pause").isTrue();
    }

    @Test
    void whoeverWaitsAfterAPauseIsGivenWayAnew() {
        peopleWait.set(true);
        assertThat(givingWay.mayBegin()).isFalse();
        clock.set(begin.plus(GivingWay.MOST));
        peopleWait.set(false);
        assertThat(givingWay.mayBegin()).isTrue();
        peopleWait.set(true);
        assertThat(givingWay.mayBegin()).isFalse();
    }
}
