package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Stored proofs are found by a digest of these texts, so a release that changes one would make every proof again. */
class ProofDigestTest {

    private static final Instant AT = Instant.parse("2026-11-26T10:00:00.125Z");

    @Test
    void theFactsOfAProofKeepTheirText() {
        ProofRepository.Way way = new ProofRepository.Way("rita@example.org", new UUID(0, 1), "notice-1", null, null, null, null, null, AT, "no such mailbox",
                List.of(new ProofRepository.EmailAttempt(AT, 451, "try later", 12), new ProofRepository.EmailAttempt(AT, null, null, 3)));

        assertThat(way.digestText()).isEqualTo("Way[email=rita@example.org, userId=00000000-0000-0000-0000-000000000001, idempotencyKey=notice-1, emailId=null, from=null, accepted=null, "
                + "state=null, ended=null, refused=2026-11-26T10:00:00.125Z, refusal=no such mailbox, attempts=[EmailAttempt[at=2026-11-26T10:00:00.125Z, code=451, error=try later, "
                + "durationMillis=12], EmailAttempt[at=2026-11-26T10:00:00.125Z, code=null, error=null, durationMillis=3]]]");
        assertThat(new ProofRepository.Returned(AT, "5.1.1").digestText()).isEqualTo("Returned[at=2026-11-26T10:00:00.125Z, reason=5.1.1]");
    }
}
