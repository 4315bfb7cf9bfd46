package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.BrowserAccess;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.InvalidToken;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.WorkOwner;
import io.arbitration.platform.telemetry.LogContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks the bearer token (RFC 6750) or the session cookie of a browser, the rate of the caller, and the permissions that the contract
 * demands for the operation. A request with a refused token, or with a cookie that needs a query, counts against the rate of its address,
 * so that nobody can try many of them. A write with a cookie must come from a page of this platform.
 */
final class Authentication implements Handler<RoutingContext> {

    static final String CALLER = "caller";
    static final String BY_COOKIE = "callerByCookie";
    private static final String SCHEME = "bearer ";
    /**
     * The user that a page shows. All tabs of a browser share one cookie, so without this header a tab could act for a user who
     * has signed in in another tab.
     */
    private static final String ACTING_USER = "Acting-User";

    private final AccessTokens tokens;
    private final BrowserAccess browsers;
    private final RateLimiter callers;
    private final RateLimiter organizations;
    private final RateLimiter addresses;
    private final List<String> permissions;

    Authentication(AccessTokens tokens, BrowserAccess browsers, RateLimiter callers, RateLimiter organizations, RateLimiter addresses, List<String> permissions) {
        this.tokens = tokens;
        this.browsers = browsers;
        this.callers = callers;
        this.organizations = organizations;
        this.addresses = addresses;
        this.permissions = permissions;
    }

    @Override
    public void handle(RoutingContext context) {
        if (tokens.isCaughtUp()) {
            authenticate(context);
            return;
        }
        // This node was suspended or cut off. It first reads the revocations that it has missed.
        after(context, tokens.catchUp(), read -> authenticate(context));
    }

    private void authenticate(RoutingContext context) {
        Optional<String> token = token(context);
        Optional<String> cookie = token.isPresent() ? Optional.empty()
                : Optional.ofNullable(context.request().getCookie(browsers.cookie().sessionName())).map(Cookie::getValue);
        if (cookie.isEmpty()) {
            admit(context, token.orElseThrow(() -> refused(context)));
            return;
        }
        if (context.request().method() != HttpMethod.GET && !isFromHere(context)) {
            throw HttpError.ORIGIN.refusal();
        }
        context.put(BY_COOKIE, true);
        Optional<Caller> remembered = browsers.sessions().remembered(cookie.get());
        if (remembered.isPresent()) {
            admit(context, remembered.get());
            return;
        }
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)));
        after(context, browsers.sessions().find(cookie.get()), found -> admit(context, found.orElseThrow(() -> unknownCookie(context))));
    }

    /** Continues when a read has completed. Until then the request is paused, so that no part of its body is lost. */
    private static <T> void after(RoutingContext context, Future<T> reading, Consumer<T> then) {
        Context own = context.vertx().getOrCreateContext();
        context.request().pause();
        reading.onComplete(read -> own.runOnContext(on -> {
            context.request().resume();
            if (read.failed()) {
                context.fail(read.cause());
                return;
            }
            try {
                then.accept(read.result());
            } catch (RuntimeException refused) {
                context.fail(refused);
            }
        }));
    }

    /** Whether the request comes from a page of this platform: browsers send the header Origin with every POST. */
    private boolean isFromHere(RoutingContext context) {
        String origin = context.request().getHeader(HttpHeaders.ORIGIN);
        return origin != null && browsers.origins().contains(origin);
    }

    private void admit(RoutingContext context, String token) {
        try {
            Caller caller = tokens.verify(token);
            if (tokens.mayHaveEvicted(token)) {
                after(context, tokens.ask(token), found -> admit(context, found.orElseThrow(() -> refused(context, "session revoked"))));
            } else {
                admit(context, caller);
            }
        } catch (InvalidToken invalid) {
            throw refused(context, invalid.getMessage());
        }
    }

    private void admit(RoutingContext context, Caller caller) {
        callers.admit(caller.id(), context.response().headers());
        if (!caller.tenant().equals(caller.id())) {
            organizations.admit(caller.tenant());
        }
        String actingUser = context.request().getHeader(ACTING_USER);
        if (actingUser != null && !actingUser.equals(caller.id().toString())) {
            throw HttpError.ANOTHER_USER.refusal();
        }
        for (String permission : permissions) {
            if (!caller.hasPermission(permission)) {
                throw HttpError.PERMISSION.refusal(permission);
            }
        }
        context.put(CALLER, caller);
        WorkOwner owner = WorkOwner.begin(context.vertx(), caller.id(), caller.tenant());
        context.addEndHandler(ended -> owner.answered());
        LogContext.caller(caller.id().toString());
        context.next();
    }

    /** The bearer token, if there is one; then a session cookie is ignored. */
    private static Optional<String> token(RoutingContext context) {
        String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip()) : Optional.empty();
    }

    private RuntimeException refused(RoutingContext context, String reason) {
        context.put(ErrorBodies.REASON, reason);
        return refused(context);
    }

    private static RuntimeException unknownCookie(RoutingContext context) {
        context.put(ErrorBodies.REASON, "cookie of no session");
        return HttpError.TOKEN.refusal();
    }

    private RuntimeException refused(RoutingContext context) {
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)));
        return HttpError.TOKEN.refusal();
    }
}
