package io.arbitration.push.subscriptions;

import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.platform.outbound.UnsafeUrl;
import java.util.List;

/**
 * The push services that the configuration allows. An endpoint is an address that a browser chose and that the platform calls, so
 * it must belong to one of them.
 */
public final class PushServices {

    private record Allowed(boolean secure, String host, boolean below, int port) {

        static Allowed of(String origin) {
            boolean below = origin.contains("://*.");
            TargetUrl target = TargetUrl.parse(below ? origin.replace("://*.", "://") : origin);
            return new Allowed(target.secure(), target.host(), below, target.port());
        }

        boolean holds(TargetUrl endpoint) {
            return secure == endpoint.secure() && port == endpoint.port()
                    && (below ? endpoint.host().endsWith("." + host) : endpoint.host().equals(host));
        }
    }

    private final List<Allowed> allowed;

    /** @param origins in the form of the settings */
    public PushServices(List<String> origins) {
        this.allowed = origins.stream().map(Allowed::of).toList();
    }

    /** @throws io.arbitration.platform.answer.Refusal 400 with the reason why the endpoint is not accepted */
    TargetUrl endpoint(String url) {
        try {
            TargetUrl endpoint = TargetUrl.parse(url);
            if (allows(endpoint)) {
                return endpoint;
            }
            throw SubscriptionError.INVALID_ENDPOINT.refusal(endpoint.secure()
                    ? "must be at a push service that this platform sends to" : "must be an absolute https address");
        } catch (UnsafeUrl unsafe) {
            throw SubscriptionError.INVALID_ENDPOINT.refusal(unsafe.getMessage());
        }
    }

    /** Whether the configuration allows the push service of an endpoint. */
    public boolean allows(TargetUrl endpoint) {
        return allowed.stream().anyMatch(one -> one.holds(endpoint));
    }
}
