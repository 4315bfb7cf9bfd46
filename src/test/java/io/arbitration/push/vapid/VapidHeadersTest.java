package io.arbitration.push.vapid;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.StandingClock;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.push.encryption.P256;
import io.vertx.core.Future;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VapidHeadersTest {

    private static final TargetUrl ENDPOINT = TargetUrl.parse("https://push.example:8443/x");

    private final StandingClock clock = new StandingClock(Instant.parse("2026-11-21T09:30:00Z"));
    private final KeyPair pair = P256.generate();
    private final AtomicInteger opened = new AtomicInteger();

    private VapidHeaders headers(Optional<String> subject) {
        return new VapidHeaders(id -> {
            opened.incrementAndGet();
            return Future.succeededFuture(new VapidKeys.Opened(P256.point(pair.getPublic()), pair.getPrivate()));
        }, subject, clock);
    }

    private JwtClaims claims(String header) throws Exception {
        assertThat(header).matches("vapid t=[\\w-]+\\.[\\w-]+\\.[\\w-]{86}, k=[\\w-]{87}");
        return new JwtConsumerBuilder().setVerificationKey(pair.getPublic()).setExpectedAudience("https://push.example:8443").setRequireExpirationTime()
                .setEvaluationTime(NumericDate.fromMilliseconds(clock.millis())).setMaxFutureValidityInMinutes(24 * 60)
                .build().processToClaims(header.substring("vapid t=".length(), header.indexOf(',')));
    }

    @Test
    void aHeaderNamesThePushServiceItsEndAndWhomToWriteTo() throws Exception {
        JwtClaims claims = claims(headers(Optional.of("mailto:push@arbitration.example")).header(1, ENDPOINT).result());
        assertThat(claims.getClaimNames()).containsExactlyInAnyOrder("aud", "exp", "sub");
        assertThat(claims.getSubject()).isEqualTo("mailto:push@arbitration.example");
        assertThat(claims.getExpirationTime().getValueInMillis()).isEqualTo(clock.instant().plus(VapidHeaders.VALID).toEpochMilli());
        assertThat(claims(headers(Optional.empty()).header(1, ENDPOINT).result()).getClaimNames()).containsExactlyInAnyOrder("aud", "exp");
    }

    @Test
    void oneSignatureServesAKeyAndAPushServiceForAnHour() throws Exception {
        VapidHeaders headers = headers(Optional.empty());
        String first = headers.header(1, ENDPOINT).result();
        clock.set(clock.instant().plus(VapidHeaders.KEPT.minus(Duration.ofMillis(1))));
        assertThat(headers.header(1, TargetUrl.parse("https://push.example:8443/another")).result()).isEqualTo(first);
        assertThat(opened).hasValue(1);
        claims(first);
        clock.set(clock.instant().plus(Duration.ofMillis(1)));
        String next = headers.header(1, ENDPOINT).result();
        assertThat(next).isNotEqualTo(first);
        claims(next);
        headers.header(2, ENDPOINT);
        headers.header(1, TargetUrl.parse("https://push.example/x"));
        assertThat(opened).hasValue(4);
    }

    /** A clock that was set back must not leave a signature in use that ends a day from now. */
    @Test
    void aSignatureFromTheFutureIsNotUsed() {
        VapidHeaders headers = headers(Optional.empty());
        headers.header(1, ENDPOINT);
        clock.set(clock.instant().plus(Duration.ofHours(-13)));
        headers.header(1, ENDPOINT);
        assertThat(opened).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({
        "https://fcm.googleapis.com/fcm/send/x, https://fcm.googleapis.com",
        "https://fcm.googleapis.com:443/x, https://fcm.googleapis.com",
        "https://push.example:8443/x, https://push.example:8443",
        "https://PUSH.example/x, https://push.example",
        "http://127.0.0.1/x, http://127.0.0.1",
        "http://127.0.0.1:9090/x, http://127.0.0.1:9090",
        "https://[2001:db8::1]:8443/x, https://[2001:db8::1]:8443",
    })
    void theAudienceIsTheOriginWithItsPortWhereThatIsNotTheUsual(String endpoint, String origin) {
        assertThat(VapidHeaders.origin(TargetUrl.parse(endpoint))).isEqualTo(origin);
    }
}
