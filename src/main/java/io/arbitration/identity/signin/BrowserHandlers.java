package io.arbitration.identity.signin;

import io.arbitration.identity.sessions.SessionEndService;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.auth.SessionCookie;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The operations of browsers that sign in and out, and of providers that log them out. */
public final class BrowserHandlers {

    private final BrowserSignIn signIn;
    private final LogoutTokens logoutTokens;
    private final SessionEndService sessions;
    private final SessionCookie cookie;
    private final Clock clock;

    public BrowserHandlers(BrowserSignIn signIn, LogoutTokens logoutTokens, SessionEndService sessions, SessionCookie cookie, Clock clock) {
        this.signIn = signIn;
        this.logoutTokens = logoutTokens;
        this.sessions = sessions;
        this.cookie = cookie;
        this.clock = clock;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("signInBrowser", this::login)
                .bind("finishBrowserSignIn", this::callback)
                .bind("signOut", this::signOut)
                .bind("logOutByProvider", this::backchannelLogout);
    }

    private Future<Reply> login(Call call) {
        return signIn.begin(call.pathParameter("idp"), call.query("returnTo"), call.query("login_hint"), call.isFromAnotherSite()).map(begun ->
                redirect(begun.location(), List.of(cookie.set(cookie.signInName(), begun.attempt().cookie(), BrowserSignIn.ATTEMPT))));
    }

    private Future<Reply> callback(Call call) {
        BrowserSignIn.Answer answer = new BrowserSignIn.Answer(call.query("code"), call.query("state"), call.query("error"), call.query("iss"));
        return signIn.finish(call.pathParameter("idp"), answer, call.cookie(cookie.signInName()).flatMap(SignInAttempt::parse),
                        call.cookie(cookie.sessionName()), call.remoteAddress())
                .map(done -> redirect(done.returnTo(), List.of(
                        cookie.set(cookie.sessionName(), done.session().cookie(), Duration.between(clock.instant(), done.session().expiresAt())),
                        // The attempt has ended with a session, so its cookie is not needed any more.
                        cookie.forget(cookie.signInName()))));
    }

    /** A redirect without a Referer header: the URLs of a sign-in contain its code and state, which no other page may get. */
    private static Reply redirect(String location, List<String> cookies) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Location", location);
        headers.put("Referrer-Policy", "no-referrer");
        return new Reply(302, "text/plain; charset=utf-8", Buffer.buffer("Go on at " + location), headers).withCookies(cookies);
    }

    private Future<Reply> signOut(Call call) {
        return sessions.end(call.requester())
                .map(ended -> Reply.sentence("Signed out.").withCookies(List.of(cookie.forget(cookie.sessionName()))));
    }

    private Future<Reply> backchannelLogout(Call call) {
        return logoutTokens.endSessions(call.pathParameter("idp"), call.text("logout_token"))
                .map(ended -> new Reply(200, Reply.JSON, Buffer.buffer("{}"), Map.of("Cache-Control", "no-store")));
    }
}
