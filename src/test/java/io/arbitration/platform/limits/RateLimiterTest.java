package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class RateLimiterTest {

    private static final Duration HOUR = Duration.ofHours(1);

    /** How many of so many requests are let pass. */
    static int admitted(RateLimiter limiter, Object key, int asked) {
        int admitted = 0;
        for (int i = 0; i < asked; i++) {
            try {
                limiter.admit(key);
                admitted++;
            } catch (Refusal refused) {
                assertThat(refused.status()).isEqualTo(429);
            }
        }
        return admitted;
    }

    @Test
    void eachKeyHasAPeriodsWorth() {
        RateLimiter limiter = new SharedRateLimiters(true, 1000).limiter("test", 5, HOUR);
        assertThat(admitted(limiter, "a", 9)).isEqualTo(5);
        assertThat(admitted(limiter, "b", 9)).isEqualTo(5);
    }

    @Test
    void aRefusalSaysWhenToComeAgain() {
        RateLimiter limiter = new SharedRateLimiters(true, 1000).limiter("test", 2, HOUR);
        admitted(limiter, "a", 2);
        assertThatThrownBy(() -> limiter.admit("a")).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.retryAfterSeconds().orElseThrow()).isBetween(1700, 1800));
    }

    /** Of an attacker who comes from many networks, or has many accounts. */
    @Test
    void manyKeysNeitherTakeMoreRoomNorPermitsOfOthersNorTheCountOfWhoAsksMost() {
        RateLimiter limiter = new SharedRateLimiters(true, 1000).limiter("test", 5, HOUR);
        admitted(limiter, "who asks most", 5);
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            assertThat(admitted(limiter, i, 1)).as("asks for the first time").isEqualTo(1);
            if (i % 50 == 0) {
                refused += 1 - admitted(limiter, "who asks most", 1);
            }
        }
        assertThat(limiter.keys()).isLessThanOrEqualTo(1000);
        assertThat(refused).as("of a thousand times").isGreaterThan(900);
    }

    @Test
    void aLimiterThatTheHeapOfTheStartDoesNotCountIsRefused() {
        SharedRateLimiters rates = new SharedRateLimiters(true, 1000);
        for (int i = 0; i < SharedRateLimiters.LIMITERS_MAX; i++) {
            rates.limiter("test %d".formatted(i), 1, HOUR);
        }
        assertThat(rates.limiter("test 0", 1, HOUR)).isNotNull();
        assertThatThrownBy(() -> rates.limiter("one more", 1, HOUR)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void switchedOffItAdmitsAll() {
        assertThat(admitted(new SharedRateLimiters(false, 1000).limiter("test", 1, HOUR), "a", 100)).isEqualTo(100);
    }

    @Test
    void whatAnotherNodeLetPassIsTakenFromTheBucketHere() {
        RateLimiter limiter = new SharedRateLimiters(true, 1000).limiter("test", 10, HOUR);
        limiter.deductAdmittedElsewhere("a", 7);
        assertThat(admitted(limiter, "a", 10)).isEqualTo(3);
        // It may owe, but never more than a bucket for what one node reports.
        limiter.deductAdmittedElsewhere("a", 1_000_000);
        assertThatThrownBy(() -> limiter.admit("a")).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.retryAfterSeconds().orElseThrow()).isLessThanOrEqualTo(2 * 3600));
    }

    @Test
    void theHeadersOfAnAnswerSayWhatIsLeft() {
        RateLimiter limiter = new SharedRateLimiters(true, 1000).limiter("test", 2, HOUR);
        MultiMap answer = MultiMap.caseInsensitiveMultiMap();
        limiter.admit("a", answer);
        assertThat(answer.get("RateLimit-Policy")).isEqualTo("\"test\";q=2;w=3600");
        assertThat(answer.get("RateLimit")).matches("\"test\";r=1;t=1[78]\\d\\d");
        limiter.admit("a", answer);
        assertThatThrownBy(() -> limiter.admit("a", answer)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.retryAfterSeconds().orElseThrow()).isBetween(1700, 1800));
        assertThat(answer.getAll("RateLimit")).as("told of a refusal, too, and once").singleElement().asString().matches("\"test\";r=0;t=3[56]\\d\\d");
        MultiMap none = MultiMap.caseInsensitiveMultiMap();
        new SharedRateLimiters(false, 1000).limiter("test", 1, HOUR).admit("a", none);
        assertThat(none.isEmpty()).as("without a limit").isTrue();
    }

    @Test
    void onlyWhatWasLetPassIsReported() {
        RateLimiter limiter = new RateLimiter("test", true, 2, HOUR, 1000, () -> true);
        admitted(limiter, "a", 5);
        assertThat(limiter.drainAdmitted()).hasSize(1).extractingByKey("a").extracting(LongAdder::sum).isEqualTo(2L);
        assertThat(limiter.drainAdmitted()).isEmpty();
    }
}
