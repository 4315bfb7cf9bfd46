package io.arbitration.push;

import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.platform.outbound.UnsafeUrl;
import java.util.List;

/** The push services that endpoints may lead to. Whoever subscribes names the address that the platform then calls. */
final class PushServices {

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

    /** @param origins as the settings have them */
    PushServices(List<String> origins) {
        this.allowed = origins.stream().map(Allowed::of).toList();
    }

    /** @throws io.arbitration.platform.answer.Refusal 400 that says why the endpoint is not taken */
    TargetUrl endpoint(String url) {
        try {
            TargetUrl endpoint = TargetUrl.parse(url);
            if (holds(endpoint)) {
                return endpoint;
            }
            throw PushError.INVALID_ENDPOINT.refusal(endpoint.secure()
                    ? "must be at a push service that this platform sends to" : "must be an absolute https address");
        } catch (UnsafeUrl unsafe) {
            throw PushError.INVALID_ENDPOINT.refusal(unsafe.getMessage());
        }
    }

    boolean holds(TargetUrl endpoint) {
        return allowed.stream().anyMatch(one -> one.holds(endpoint));
    }
}
