package io.arbitration.platform.http;

import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.config.Settings;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.List;

/** What every operation passes on its way in, in this order: token and permissions, rate, body, idempotency, handler. */
public final class Door {

    private final AccessTokens tokens;
    private final Settings.Http settings;
    private final RateLimits rates;
    private final Idempotency idempotency;

    public Door(AccessTokens tokens, Settings.Http settings, RateLimits rates, Idempotency idempotency) {
        this.tokens = tokens;
        this.settings = settings;
        this.rates = rates;
        this.idempotency = idempotency;
    }

    List<Handler<RoutingContext>> steps(Vertx vertx, Operation operation, OperationHandler handler) {
        List<Handler<RoutingContext>> steps = new ArrayList<>();
        if (operation.plainTextErrors()) {
            steps.add(context -> {
                context.put(ErrorBodies.PLAIN_TEXT, true);
                context.next();
            });
        }
        if (operation.bearer()) {
            steps.add(new Authentication(tokens, operation.permissions()));
        }
        steps.add(rates::admit);
        if (operation.schema().isPresent()) {
            steps.add(this::checkBodyHead);
            // By reference: the router wants a handler known to read bodies first, but who may not call is refused unread.
            steps.add(BodyHandler.create(false).setBodyLimit(settings.bodyBytesMax())::handle);
        }
        steps.add(context -> body(vertx, context, operation)
                .compose(body -> answer(context, operation, body, handler))
                .onComplete(reply -> send(context, reply), context::fail));
        return steps;
    }

    /** Refuses by the head alone what need not be read. */
    private void checkBodyHead(RoutingContext context) {
        String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
        String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        boolean empty = length == null ? context.request().getHeader(HttpHeaders.TRANSFER_ENCODING) == null : length.equals("0");
        if (!(empty && type == null) && !isJson(type)) {
            throw HttpError.CONTENT_TYPE.refusal(Reply.JSON);
        }
        if (length != null && length.length() < 19 && Long.parseLong(length) > settings.bodyBytesMax()) {
            throw HttpError.BODY_TOO_LARGE.refusal(settings.bodyBytesMax());
        }
        context.next();
    }

    private static boolean isJson(String contentType) {
        if (contentType == null) {
            return false;
        }
        String[] parts = contentType.toLowerCase().split(";");
        if (!parts[0].strip().equals(Reply.JSON)) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("charset=") && !parameter.replace("\"", "").equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }

    private Future<JsonObject> body(Vertx vertx, RoutingContext context, Operation operation) {
        if (operation.schema().isEmpty()) {
            return Future.succeededFuture(new JsonObject());
        }
        Buffer bytes = context.body().buffer();
        if (bytes == null || bytes.length() == 0) {
            return operation.bodyRequired()
                    ? Future.failedFuture(Refusal.badRequest("body: is required"))
                    : Future.succeededFuture(new JsonObject());
        }
        if (bytes.length() > settings.validateInlineBytesMax()) {
            return vertx.executeBlocking(() -> checked(bytes, operation), false);
        }
        try {
            return Future.succeededFuture(checked(bytes, operation));
        } catch (Refusal refused) {
            return Future.failedFuture(refused);
        }
    }

    private static JsonObject checked(Buffer bytes, Operation operation) {
        Object body = JsonBody.parse(bytes);
        operation.schema().orElseThrow().check(body);
        if (body instanceof JsonObject object) {
            return object;
        }
        throw Refusal.badRequest("body: must be an object");
    }

    private Future<Reply> answer(RoutingContext context, Operation operation, JsonObject body, OperationHandler handler) {
        Call call = new Call(context, body);
        String key = operation.idempotent() ? context.request().getHeader(Idempotency.HEADER) : null;
        if (key == null || !operation.bearer()) {
            return guarded(handler, call);
        }
        Caller caller = call.caller();
        return idempotency.once(caller.id(), operation.area() + "." + operation.id(), key, context.body().buffer(),
                () -> guarded(handler, call));
    }

    /** A handler may refuse by throwing as well as by its future. */
    private static Future<Reply> guarded(OperationHandler handler, Call call) {
        try {
            return handler.handle(call);
        } catch (Refusal refused) {
            return Future.failedFuture(refused);
        }
    }

    private static void send(RoutingContext context, Reply reply) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status()).putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType());
        reply.headers().forEach(response::putHeader);
        response.end(reply.body());
    }
}
