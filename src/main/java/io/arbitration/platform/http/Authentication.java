package io.arbitration.platform.http;

import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.InvalidToken;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Checks the bearer token (RFC 6750) and the permissions that an operation of a contract asks for. */
final class Authentication implements Handler<RoutingContext> {

    static final String CALLER = "caller";
    private static final String SCHEME = "bearer ";

    private final AccessTokens tokens;
    private final List<String> permissions;

    Authentication(AccessTokens tokens, List<String> permissions) {
        this.tokens = tokens;
        this.permissions = permissions;
    }

    @Override
    public void handle(RoutingContext context) {
        Caller caller = caller(context.request().getHeader(HttpHeaders.AUTHORIZATION));
        for (String permission : permissions) {
            if (!caller.may(permission)) {
                throw HttpError.PERMISSION.refusal(permission);
            }
        }
        context.put(CALLER, caller);
        context.next();
    }

    private Caller caller(String header) {
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw HttpError.TOKEN.refusal();
        }
        try {
            return tokens.verify(header.substring(SCHEME.length()).strip());
        } catch (InvalidToken refused) {
            throw HttpError.TOKEN.refusal();
        }
    }
}
