package io.arbitration.identity.signin;

import io.arbitration.identity.sessions.TokenSet;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;

/** The exchange of an ID token for tokens of the platform. */
public final class SignInHandlers {

    private final SignInService service;

    public SignInHandlers(SignInService service) {
        this.service = service;
    }

    public Contract bind(Contract contract) {
        return contract.bind("authenticateWithIdentityProvider", this::authenticate);
    }

    private Future<Reply> authenticate(Call call) {
        return service.signIn(call.pathParameter("idp"), call.text("idToken"), call.remoteAddress()).map(TokenSet::reply);
    }
}
