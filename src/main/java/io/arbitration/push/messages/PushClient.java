package io.arbitration.push.messages;

import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundAnswer;
import io.arbitration.platform.outbound.OutboundFailure;
import io.arbitration.platform.outbound.OutboundRequest;
import io.arbitration.platform.outbound.RetryAfter;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.push.encryption.MessageEncryption;
import io.arbitration.push.subscriptions.PushServices;
import io.arbitration.push.subscriptions.Subscription;
import io.arbitration.push.vapid.VapidHeaders;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Encrypts a message for a subscription and posts it to its push service (RFC 8030), once. */
public final class PushClient {

    /** Only the status of an answer is used; the text of a refusal is short. */
    private static final int RESPONSE_BYTES_MAX = 4096;

    private final GuardedClient client;
    private final PushServices services;
    private final VapidHeaders vapid;
    private final Clock clock;
    private final RandomGenerator random;

    public PushClient(GuardedClient client, PushServices services, VapidHeaders vapid, Clock clock, RandomGenerator random) {
        this.client = client;
        this.services = services;
        this.vapid = vapid;
        this.clock = clock;
        this.random = random;
    }

    /** Fails only if the key of the subscription cannot be decrypted. */
    Future<PushAnswer> send(Subscription subscription, PushMessage message, Duration within) {
        TargetUrl endpoint = TargetUrl.parse(subscription.endpoint());
        if (!services.allows(endpoint)) {
            return Future.succeededFuture(new PushAnswer.NotAllowed());
        }
        return vapid.header(subscription.keyId(), endpoint).compose(authorization -> {
            byte[] body = MessageEncryption.encrypt(message.payload(), subscription.p256dh(), subscription.auth(), random);
            return client.send(new OutboundRequest(endpoint, HttpMethod.POST, headers(message, authorization), Buffer.buffer(body), within, RESPONSE_BYTES_MAX))
                    .map(this::answer)
                    .recover(PushClient::unreached);
        });
    }

    private static Map<String, String> headers(PushMessage message, String authorization) {
        Map<String, String> headers = new HashMap<>();
        headers.put("authorization", authorization);
        headers.put("content-encoding", "aes128gcm");
        headers.put("content-type", "application/octet-stream");
        headers.put("ttl", String.valueOf(message.ttl().toSeconds()));
        headers.put("urgency", message.urgency().text());
        message.topic().ifPresent(topic -> headers.put("topic", topic));
        return headers;
    }

    private PushAnswer answer(OutboundAnswer answer) {
        int status = answer.status();
        if (status >= 200 && status < 300) {
            return new PushAnswer.Accepted(status);
        }
        if (status == 404 || status == 410) {
            return new PushAnswer.Gone(status);
        }
        return status == 429 || status >= 500
                ? new PushAnswer.Busy(status, RetryAfter.of(answer.headers().get("Retry-After"), clock.instant()))
                : new PushAnswer.Refused(status);
    }

    private static Future<PushAnswer> unreached(Throwable failed) {
        return failed instanceof OutboundFailure failure
                ? Future.succeededFuture(new PushAnswer.Unreached(failure.getMessage(), failure.kind() == OutboundFailure.Kind.TIMEOUT))
                : Future.failedFuture(failed);
    }
}
