package io.arbitration.webhooks.sending;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Sends a signed sample event to a URL, at once and without repetition, and records the attempt. An organization has one test at a time.
 */
public final class TestSender {

    /** A URL to test, with the secrets that sign now, encrypted, the current one first. */
    public record Target(long urlId, UUID organizationId, String url, List<byte[]> secrets) {}

    private final TestRepository repository;
    private final WebhookMessage message;
    private final SecretCipher secrets;
    private final Duration lease;
    private final Clock clock;
    private final RandomGenerator random;

    /** @param exchange the time of one exchange with a URL */
    public TestSender(TestRepository repository, WebhookMessage message, SecretCipher secrets, Duration exchange, Clock clock, RandomGenerator random) {
        this.repository = repository;
        this.message = message;
        this.secrets = secrets;
        this.lease = exchange.plusSeconds(2);
        this.clock = clock;
        this.random = random;
    }

    /** The attempt; empty while another test of the organization runs. */
    public Future<Optional<DeliveryAttempt>> send(Target target, Requester requester) {
        UUID eventId = Identifiers.random(random);
        return repository.begin(target.organizationId(), eventId, lease).compose(begun -> begun
                ? Future.succeededFuture(target).compose(tested -> attempt(tested, requester, eventId)).eventually(() -> repository.end(target.organizationId(), eventId)).map(Optional::of)
                : Future.succeededFuture(Optional.empty()));
    }

    private Future<DeliveryAttempt> attempt(Target target, Requester requester, UUID eventId) {
        List<SigningSecret> open = target.secrets().stream().map(sealed -> secrets.open(sealed, target.organizationId(), target.url())).toList();
        return message.send(target.url(), eventId.toString(), sample(eventId, requester.userId(), target.organizationId()).encode(), open, Map.of("webhook-test", "true"))
                .compose(sent -> repository.insert(requester.key(), target, eventId, sent.attempt()).map(sent.attempt()));
    }

    /** The longest time until the organization can start another test, in seconds. */
    public int waitSeconds() {
        return (int) lease.toSeconds();
    }

    /** An event with the data of a {@code docket_filing}, but a name of its own, so that no receiver takes it for a real one. */
    private JsonObject sample(UUID eventId, UUID userId, UUID organizationId) {
        String now = Timestamps.text(clock.instant());
        return new JsonObject()
                .put("id", eventId.toString())
                .put("timestamp", now)
                .put("event", "test")
                .put("data", new JsonObject()
                        .put("entryID", "1")
                        .put("enteredAt", now)
                        .put("filingID", "1")
                        .put("caseID", "00000000-0000-0000-0000-000000000000")
                        .put("phaseID", "caseFiling")
                        .put("documentID", "statementOfClaim")
                        .put("userID", userId.toString())
                        .put("organizationID", organizationId.toString())
                        .put("partyID", "claimant")
                        .put("rootEntryID", null)
                        .put("parentEntryID", null));
    }
}
