package io.arbitration.ai.award;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.RunningPlatform;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** For how long it is kept from which inputs an award was drafted. */
class AwardHistoryIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private UUID drafted(int daysAgo) {
        UUID id = UUID.randomUUID();
        platform.rows("""
                with made as (
                  insert into ai.awards (award_id, created, user_id, model, prompt_version, inputs, answer_sha256, rounds, prompt_tokens, answer_tokens)
                  values (?, now() - ? * interval '1 day', gen_random_uuid(), 'm', 'award.1', '[]', repeat('0', 64), 1, 0, 0) returning 1)
                select count(*) from made
                """, id, daysAgo);
        return id;
    }

    private boolean isKept(UUID id) {
        return !platform.rows("select 1 from ai.awards where award_id = ?", id).isEmpty();
    }

    @Test
    void anAwardOlderThanTheHistoryIsRemovedAndAYoungerOneStays() throws Exception {
        UUID old = drafted(4000);
        UUID young = drafted(3000);
        assertThat(new AwardRepository(platform.database()).deleteExpired(Duration.ofDays(3650)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isPositive();
        assertThat(List.of(isKept(old), isKept(young))).containsExactly(false, true);
    }

    @Test
    void theDatabaseItselfKeepsARecentAward() {
        UUID recent = drafted(89);
        assertThatThrownBy(() -> platform.rows("with gone as (delete from ai.awards where award_id = ? returning 1) select count(*) from gone", recent))
                .hasStackTraceContaining("awards are kept for 90 days at least");
        assertThatThrownBy(() -> platform.rows("with changed as (update ai.awards set model = 'other' where award_id = ? returning 1) select count(*) from changed", recent))
                .hasStackTraceContaining("append-only");
        assertThat(isKept(recent)).isTrue();
    }
}
