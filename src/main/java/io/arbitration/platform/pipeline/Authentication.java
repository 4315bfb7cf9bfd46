package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.InvalidToken;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.LogMark;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the bearer token (RFC 6750), the rate of the caller and the permissions that an operation of a contract asks for.
 * A request whose token is refused counts against its address, so that tokens cannot be tried at will.
 */
final class Authentication implements Handler<RoutingContext> {

    static final String CALLER = "caller";
    static final String BY_COOKIE = "callerByCookie";
    private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);
    private static final String SCHEME = "bearer ";

    private final AccessTokens tokens;
    private final RateLimiter callers;
    private final RateLimiter addresses;
    private final List<String> permissions;

    Authentication(AccessTokens tokens, RateLimiter callers, RateLimiter addresses, List<String> permissions) {
        this.tokens = tokens;
        this.callers = callers;
        this.addresses = addresses;
        this.permissions = permissions;
    }

    @Override
    public void handle(RoutingContext context) {
        if (tokens.isCaughtUp()) {
            authenticate(context);
            return;
        }
        // This node was stopped or cut off: what was taken back meanwhile is read before anybody is let in.
        Context own = context.vertx().getOrCreateContext();
        context.request().pause();
        tokens.caughtUp().onComplete(read -> own.runOnContext(on -> {
            context.request().resume();
            if (read.failed()) {
                context.fail(HttpError.OUT_OF_SERVICE.refusal().retryAfter(1));
                return;
            }
            try {
                authenticate(context);
            } catch (RuntimeException refused) {
                context.fail(refused);
            }
        }));
    }

    private void authenticate(RoutingContext context) {
        Caller caller = caller(context);
        callers.admit(caller.id());
        for (String permission : permissions) {
            if (!caller.may(permission)) {
                throw HttpError.PERMISSION.refusal(permission);
            }
        }
        context.put(CALLER, caller);
        LogMark.caller(caller.id().toString());
        context.next();
    }

    private Caller caller(RoutingContext context) {
        String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        if (header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            try {
                return tokens.verify(header.substring(SCHEME.length()).strip());
            } catch (InvalidToken refused) {
                LOG.debug("request {}: token refused: {}", context.<String>get(RequestId.KEY), refused.getMessage());
            }
        }
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)));
        throw HttpError.TOKEN.refusal();
    }
}
