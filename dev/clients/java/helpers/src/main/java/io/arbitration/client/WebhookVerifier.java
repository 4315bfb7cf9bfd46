package io.arbitration.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.arbitration.client.WebhookException.Problem;
import io.arbitration.client.model.CaseClosedEvent;
import io.arbitration.client.model.CaseCreatedEvent;
import io.arbitration.client.model.DeadlineExtendedEvent;
import io.arbitration.client.model.DocketFilingEvent;
import io.arbitration.client.model.EntrySealedEvent;
import io.arbitration.client.model.EntryUnsealedEvent;
import io.arbitration.client.model.EventKind;
import io.arbitration.client.model.FilingRejectedEvent;
import io.arbitration.client.model.FilingSubmittedEvent;
import io.arbitration.client.model.FilingWithdrawnEvent;
import io.arbitration.client.model.HearingCancelledEvent;
import io.arbitration.client.model.HearingChangedEvent;
import io.arbitration.client.model.HearingScheduledEvent;
import io.arbitration.client.model.ParticipantAddedEvent;
import io.arbitration.client.model.ParticipantRemovedEvent;
import io.arbitration.client.model.PhaseChangedEvent;
import io.arbitration.client.model.WebhookEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks (Standard Webhooks, {@code v1}) and reads them, in this order. Thread-safe. */
public final class WebhookVerifier {

    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final String PREFIX = "whsec_";
    /** The platform sends as many signatures as there are live secrets, two. */
    private static final int SIGNATURES_MAX = 20;
    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

    private final List<SecretKeySpec> keys;
    private final Duration tolerance;
    private final Clock clock;

    /** A verifier for webhooks of the last five minutes, of a URL with this secret; during a rotation, with any of these. */
    public WebhookVerifier(String... secrets) {
        this(List.of(secrets), TOLERANCE, Clock.systemUTC());
    }

    /**
     * A verifier by another clock.
     *
     * @param tolerance by how much a timestamp may be before or after that clock
     * @throws IllegalArgumentException when there is no secret, or one that is not {@code whsec_} and base64
     */
    public WebhookVerifier(List<String> secrets, Duration tolerance, Clock clock) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("secrets: at least one");
        }
        this.keys = new ArrayList<>();
        for (String secret : secrets) {
            if (!secret.startsWith(PREFIX) || secret.length() == PREFIX.length()) {
                throw new IllegalArgumentException("secret: begins with " + PREFIX);
            }
            this.keys.add(new SecretKeySpec(decoded(secret.substring(PREFIX.length())), "HmacSHA256"));
        }
        this.tolerance = tolerance;
        this.clock = clock;
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            // The message of the cause would hold a part of the secret.
            throw new IllegalArgumentException("secret: base64 follows " + PREFIX);
        }
    }

    /**
     * Verifies a request and reads its event.
     *
     * @param header the value of a header by its name in lower case, null where it is missing: {@code request::getHeader}
     * @param body the bytes as they came
     * @throws WebhookException when the request is not to be believed
     */
    public Webhook verify(Function<String, String> header, byte[] body) throws WebhookException {
        String id = header.apply("webhook-id");
        String timestamp = header.apply("webhook-timestamp");
        String signatures = header.apply("webhook-signature");
        if (Stream.of(id, timestamp, signatures).anyMatch(value -> value == null || value.isEmpty())) {
            throw new WebhookException(Problem.HEADERS, "webhook-id, webhook-timestamp and webhook-signature are required", null);
        }
        if (!timestamp.matches("\\d{1,12}")) {
            throw new WebhookException(Problem.HEADERS, "webhook-timestamp: seconds since 1970", null);
        }
        Duration off = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), clock.instant()).abs();
        if (off.compareTo(tolerance) > 0) {
            throw new WebhookException(Problem.TIME, "signed " + off.toSeconds() + " s before or after now", null);
        }
        if (!signed((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body, signatures)) {
            throw new WebhookException(Problem.SIGNATURE, "no signature holds", null);
        }
        return new Webhook(id, "true".equals(header.apply("webhook-sandbox")), event(body));
    }

    /** Looks at every signature with every secret, so that the time taken tells nothing of them. */
    private boolean signed(byte[] prefix, byte[] body, String signatures) {
        boolean holds = false;
        String[] given = signatures.trim().split(" +", SIGNATURES_MAX + 1);
        for (SecretKeySpec key : keys) {
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac(key, prefix, body))).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < Math.min(given.length, SIGNATURES_MAX); i++) {
                holds |= MessageDigest.isEqual(given[i].getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        return holds;
    }

    private static byte[] mac(SecretKeySpec key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(prefix);
            return mac.doFinal(body);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has HmacSHA256", missing);
        }
    }

    private static Object event(byte[] body) throws WebhookException {
        try {
            JsonNode envelope = JSON.readTree(body);
            if (!envelope.path("event").isTextual() || !envelope.path("data").isObject()) {
                throw new IOException("event and data are missing");
            }
            return JSON.treeToValue(envelope, model(EventKind.fromValue(envelope.path("event").asText())));
        } catch (IOException unreadable) {
            throw new WebhookException(Problem.BODY, "the body is signed, and is no event", unreadable);
        }
    }

    /** A kind that is added to the contract does not compile until it is added here. */
    private static Class<?> model(EventKind kind) {
        return switch (kind) {
            case DOCKET_FILING -> DocketFilingEvent.class;
            case CASE_CREATED -> CaseCreatedEvent.class;
            case PHASE_CHANGED -> PhaseChangedEvent.class;
            case CASE_CLOSED -> CaseClosedEvent.class;
            case FILING_SUBMITTED -> FilingSubmittedEvent.class;
            case FILING_REJECTED -> FilingRejectedEvent.class;
            case FILING_WITHDRAWN -> FilingWithdrawnEvent.class;
            case PARTICIPANT_ADDED -> ParticipantAddedEvent.class;
            case PARTICIPANT_REMOVED -> ParticipantRemovedEvent.class;
            case ENTRY_SEALED -> EntrySealedEvent.class;
            case ENTRY_UNSEALED -> EntryUnsealedEvent.class;
            case DEADLINE_EXTENDED -> DeadlineExtendedEvent.class;
            case HEARING_SCHEDULED -> HearingScheduledEvent.class;
            case HEARING_CHANGED -> HearingChangedEvent.class;
            case HEARING_CANCELLED -> HearingCancelledEvent.class;
            case UNKNOWN_DEFAULT_OPEN_API -> WebhookEvent.class;
        };
    }
}
