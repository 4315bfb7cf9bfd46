package io.arbitration.platform.auth;

import io.vertx.core.Future;
import java.util.Optional;

/** The sessions of browser cookies. */
public interface CookieSessions {

    /** The caller, if this node has the cookie in its cache; no lookup, so that a known request does not wait. */
    Optional<Caller> remembered(String cookie);

    /** The caller of a cookie that is not cached; empty if the cookie belongs to no valid session. On any thread. */
    Future<Optional<Caller>> find(String cookie);
}
