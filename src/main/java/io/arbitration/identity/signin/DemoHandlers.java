package io.arbitration.identity.signin;

import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The operations of the demo provider. */
public final class DemoHandlers {

    private static final int EMAIL_LENGTH_MAX = 254;
    private static final int PARAMETER_LENGTH_MAX = 500;
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
    private static final String PAGE = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Demo sign-in</title>
            <style>body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}
            input,button{font:inherit;padding:.4rem .6rem;width:100%%;box-sizing:border-box;margin:.2rem 0 1rem}</style>
            <h1>Demo sign-in</h1>
            <p>This provider of the demo signs in whoever asks, under any email.</p>
            <form method="get">%s
            <label>Email<input name="login_hint" type="email" required maxlength="254" autofocus autocomplete="email"></label>
            <label>First name<input name="first_name" maxlength="100" autocomplete="given-name"></label>
            <label>Last name<input name="last_name" maxlength="100" autocomplete="family-name"></label>
            <button>Sign in</button></form></html>
            """;

    private final DemoProvider demo;

    public DemoHandlers(DemoProvider demo) {
        this.demo = demo;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("createDemoIdToken", this::createIdToken)
                .bind("listDemoPublicKeys", this::listPublicKeys)
                .bind("authorizeInDemo", this::authorize)
                .bind("issueDemoTokens", this::tokens);
    }

    private Future<Reply> createIdToken(Call call) {
        String token = demo.idToken(new DemoProvider.Wanted(
                call.text("email"), call.text("first_name"), call.text("last_name"), call.flag("email_verified", true), Optional.empty(), Optional.empty()));
        return Future.succeededFuture(Reply.json(new JsonObject().put("idToken", token)));
    }

    private Future<Reply> listPublicKeys(Call call) {
        return Future.succeededFuture(
                Reply.json(demo.publicKeys()).withHeader("Cache-Control", KeyHandlers.PUBLIC_FOR_MINUTES));
    }

    /** The page that asks who signs in or, if a hint names the user, the redirect with a code. */
    private Future<Reply> authorize(Call call) {
        String redirectUri = required(call, "redirect_uri");
        if (!demo.isOurs(required(call, "client_id"), redirectUri)) {
            throw Refusal.badRequest("redirect_uri: is not that of the client");
        }
        if (!required(call, "response_type").equals("code") || !required(call, "code_challenge_method").equals("S256")) {
            throw Refusal.badRequest("response_type: must be code, with code_challenge_method S256");
        }
        Optional<String> email = bounded(call, "login_hint", EMAIL_LENGTH_MAX);
        if (email.isEmpty() || call.query("prompt").filter("login"::equals).isPresent()) {
            return Future.succeededFuture(page(call));
        }
        String[] named = nameIn(email.get());
        String code = demo.code(new DemoProvider.Wanted(email.get(), bounded(call, "first_name", PARAMETER_LENGTH_MAX).orElse(named[0]),
                bounded(call, "last_name", PARAMETER_LENGTH_MAX).orElse(named[1]), true, bounded(call, "nonce", PARAMETER_LENGTH_MAX), Optional.empty()), required(call, "code_challenge"));
        String location = "%s?code=%s&state=%s".formatted(redirectUri, encoded(code), encoded(required(call, "state")));
        Map<String, String> headers = Map.of("Location", location, "Referrer-Policy", "no-referrer");
        return Future.succeededFuture(new Reply(302, "text/plain; charset=utf-8", Buffer.buffer("Go on at " + location), headers));
    }

    /** First and last name from an email such as {@code clara.claimant@example.org}; otherwise placeholder names. */
    private static String[] nameIn(String email) {
        String[] parts = email.substring(0, Math.max(0, email.indexOf('@'))).split("\\.");
        return parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty() ? new String[] {capital(parts[0]), capital(parts[1])} : new String[] {"Demo", "User"};
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static Reply page(Call call) {
        StringBuilder hidden = new StringBuilder();
        for (String name : new String[] {"response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method"}) {
            bounded(call, name, PARAMETER_LENGTH_MAX).ifPresent(value ->
                    hidden.append("<input type=\"hidden\" name=\"").append(name).append("\" value=\"").append(escaped(value)).append("\">"));
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        return new Reply(200, "text/html; charset=utf-8", Buffer.buffer(PAGE.formatted(hidden)), headers);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
    }

    private Future<Reply> tokens(Call call) {
        if (!"authorization_code".equals(call.text("grant_type"))) {
            throw OAuthError.UNSUPPORTED_GRANT_TYPE.refusal("authorization_code");
        }
        if (!demo.isOurs(call.optionalText("client_id").orElse(""), call.optionalText("redirect_uri").orElse(""))) {
            throw OAuthError.INVALID_GRANT.refusal();
        }
        return demo.redeem(call.optionalText("code").orElse(""), call.optionalText("code_verifier").orElse(""))
                .map(redeemed -> redeemed.orElseThrow(OAuthError.INVALID_GRANT::refusal))
                .map(token -> Reply.json(new JsonObject()
                        .put("access_token", token)
                        .put("token_type", "Bearer")
                        .put("expires_in", demo.lifetimeSeconds())
                        .put("id_token", token)));
    }

    private static String required(Call call, String name) {
        return bounded(call, name, PARAMETER_LENGTH_MAX).orElseThrow(() -> Refusal.badRequest(name + ": is required"));
    }

    private static Optional<String> bounded(Call call, String name, int most) {
        return call.query(name).filter(value -> !value.isEmpty()).map(value -> {
            if (value.length() > most) {
                throw Refusal.badRequest("%s: at most %d characters".formatted(name, most));
            }
            return value;
        });
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
