package io.arbitration.platform.auth;

import io.vertx.core.Future;
import java.util.Optional;

/** Whom the session cookie of a browser names. */
public interface CookieSessions {

    /** The caller, where this node remembers the cookie; nothing is looked up, so that a request that is known does not wait. */
    Optional<Caller> remembered(String cookie);

    /** The caller of a cookie that is not remembered; empty for one that names no session that is good now. On any thread. */
    Future<Optional<Caller>> find(String cookie);
}
