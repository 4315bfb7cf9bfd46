package io.arbitration.identity.signin;

import io.arbitration.identity.sessions.SessionService;
import io.arbitration.identity.sessions.TokenSet;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Opens sessions for ID tokens of the configured providers. */
public final class SignInService {

    private final Map<String, IdentityProvider> providers;
    private final IdTokens idTokens;
    private final SessionService sessions;

    /** @param providers by their names in URLs */
    public SignInService(Map<String, IdentityProvider> providers, IdTokens idTokens, SessionService sessions) {
        this.providers = providers;
        this.idTokens = idTokens;
        this.sessions = sessions;
    }

    /** Verifies the ID token and opens a session. @param address the client's IP address */
    Future<TokenSet> signIn(String provider, String idToken, String address) {
        IdentityProvider known = Optional.ofNullable(providers.get(provider)).orElseThrow(SignInError.PROVIDER_NOT_FOUND::refusal);
        return idTokens.verify(known, idToken).compose(identity -> sessions.signIn(identity, address)).recover(failed -> idTokens.refusedIfEnded(known, failed));
    }
}
