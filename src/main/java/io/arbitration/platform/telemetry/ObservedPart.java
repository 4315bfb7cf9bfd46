package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.arbitration.platform.outbound.RefusedCertificate;
import io.vertx.core.AsyncResult;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/**
 * A system of others, as its last uses have shown it. Nothing is sent to find out how it is: {@code UNUSED} until a use has ended,
 * {@code DOWN} while the last use of one kind has failed, else {@code UP}. May be used from any thread.
 */
public final class ObservedPart {

    private static final int REASON_LENGTH_MAX = 300;

    private final Clock clock;
    /** The reason by the kind of use; empty where its last use succeeded. The code names the kinds, so there are few. */
    private final Map<String, Optional<String>> last = new ConcurrentSkipListMap<>();

    public ObservedPart(Clock clock) {
        this.clock = clock;
    }

    /** @param use what it was used for, in a word or two; each kind of use succeeds and fails for itself */
    public void succeeded(String use) {
        last.put(use, Optional.empty());
    }

    /** @param reason without secrets; shown with the time */
    public void failed(String use, String reason) {
        String line = reason.replaceAll("\\p{Cntrl}+", " ").strip();
        String bounded = line.length() <= REASON_LENGTH_MAX ? line : line.substring(0, REASON_LENGTH_MAX);
        last.put(use, Optional.of("%s: %s (at %s)".formatted(use, bounded, clock.instant().truncatedTo(ChronoUnit.SECONDS))));
    }

    /** Records how a use ended, with the message of its failure, or what is wrong with the certificate. */
    public void ended(String use, AsyncResult<?> result) {
        if (result.succeeded()) {
            succeeded(use);
        } else {
            failed(use, RefusedCertificate.reason(result.cause()).orElseGet(() -> Optional.ofNullable(result.cause().getMessage())
                    .orElseGet(() -> result.cause().getClass().getSimpleName())));
        }
    }

    public PartState state() {
        String troubles = last.values().stream().flatMap(Optional::stream).collect(Collectors.joining("; "));
        return troubles.isEmpty() ? PartState.of(last.isEmpty() ? "UNUSED" : "UP") : new PartState("DOWN", Optional.of(troubles));
    }
}
