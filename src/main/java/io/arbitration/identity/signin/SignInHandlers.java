package io.arbitration.identity.signin;

import io.arbitration.identity.sessions.SessionService;
import io.arbitration.identity.sessions.TokenSet;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** The exchange of an ID token for tokens of the platform. */
public final class SignInHandlers {

    private final Map<String, IdentityProvider> providers;
    private final IdTokens idTokens;
    private final SessionService sessions;

    public SignInHandlers(Map<String, IdentityProvider> providers, IdTokens idTokens, SessionService sessions) {
        this.providers = providers;
        this.idTokens = idTokens;
        this.sessions = sessions;
    }

    public Contract bind(Contract contract) {
        return contract.bind("authenticateWithIdentityProvider", this::authenticate);
    }

    private Future<Reply> authenticate(Call call) {
        IdentityProvider provider = Optional.ofNullable(providers.get(call.pathParameter("idp"))).orElseThrow(SignInError.PROVIDER_NOT_FOUND::refusal);
        return idTokens.verify(provider, call.text("idToken"))
                .compose(identity -> sessions.signIn(identity, call.remoteAddress()))
                .map(TokenSet::reply);
    }
}
