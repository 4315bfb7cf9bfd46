package io.arbitration.platform.pipeline;

import io.arbitration.domain.hash.CanonicalJson;
import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.BrowserAccess;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.body.BodyReader;
import io.arbitration.platform.body.BodySettings;
import io.arbitration.platform.body.JsonBody;
import io.arbitration.platform.body.UrlEncodedForm;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.files.BlockPool;
import io.arbitration.platform.files.DownloadSender;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.StreamSender;
import io.arbitration.platform.files.UploadPace;
import io.arbitration.platform.files.UploadReader;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.RequestContext;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps before every handler, in this order: token or cookie, rate, permissions, body, idempotency. Then the handler is called and its
 * reply is sent.
 */
public final class OperationPipeline {

    static final String TRACE = "trace";
    private static final Logger LOG = LoggerFactory.getLogger(OperationPipeline.class);
    static final String URL_ENCODED = "application/x-www-form-urlencoded";

    private final AccessTokens tokens;
    private final BrowserAccess browsers;
    private final BodySettings settings;
    private final RateLimiter callers;
    private final RateLimiter organizations;
    private final RateLimiter addresses;
    private final Idempotency idempotency;
    private final MeterRegistry meters;
    private final Traces traces;
    private final ReplySender sender;
    private final ByteBudget bodies;
    private final BlockPool freeBlocks = new BlockPool();

    /**
     * @param browsers authenticates callers by cookie
     * @param callers rate of each authenticated caller
     * @param organizations rate of all callers of an organization together
     * @param addresses rate of each address, for requests without a token or with a refused one
     */
    public OperationPipeline(AccessTokens tokens, BrowserAccess browsers, BodySettings settings, RateLimiter callers, RateLimiter organizations, RateLimiter addresses, Idempotency idempotency, MeterRegistry meters, Traces traces,
            ReplySender sender) {
        this.tokens = tokens;
        this.browsers = browsers;
        this.settings = settings;
        this.callers = callers;
        this.organizations = organizations;
        this.addresses = addresses;
        this.idempotency = idempotency;
        this.meters = meters;
        this.traces = traces;
        this.sender = sender;
        this.bodies = new ByteBudget(settings.held());
        Gauge.builder("acp.http.bodies.bytes", bodies, ByteBudget::held).description("Bytes of JSON bodies that are held").register(meters);
    }

    List<Handler<RoutingContext>> steps(Vertx vertx, Operation operation, Bound bound) {
        List<Handler<RoutingContext>> steps = firstSteps(operation);
        switch (bound) {
            case Bound.ToReply(OperationHandler handler) -> {
                readBody(steps, operation);
                steps.add(context -> reply(vertx, context, operation, handler));
            }
            case Bound.ToDownload(DownloadHandler handler) -> {
                readBody(steps, operation);
                steps.add(context -> download(vertx, context, operation, handler));
            }
            case Bound.ToStream(StreamHandler handler) -> {
                readBody(steps, operation);
                steps.add(context -> stream(vertx, context, operation, handler));
            }
            case Bound.ToEvents(EventStreamHandler handler) -> steps.add(context -> events(vertx, context, handler));
            case Bound.ToUpload<?>(UploadHandler<?> handler) -> steps.add(context -> upload(context, operation, handler));
        }
        return steps;
    }

    private void reply(Vertx vertx, RoutingContext context, Operation operation, OperationHandler handler) {
        if (operation.endsWithSession()) {
            endWithSession(context);
        }
        body(vertx, context, operation)
                .compose(body -> answer(context, operation, body, handler))
                .onComplete(reply -> sender.answer(context, owner(context), operation.idempotent(), reply), context::fail);
    }

    private void download(Vertx vertx, RoutingContext context, Operation operation, DownloadHandler handler) {
        body(vertx, context, operation)
                .compose(body -> guarded(() -> handler.handle(new Call(context, body, Optional.empty()))))
                .onComplete(download -> RequestContext.run(context, () -> {
                    BodyReader.drop(context);
                    endWithSession(context);
                    new DownloadSender(context, download, sender.pace()).send();
                }), context::fail);
    }

    private void stream(Vertx vertx, RoutingContext context, Operation operation, StreamHandler handler) {
        body(vertx, context, operation)
                .compose(body -> guarded(() -> handler.handle(new Call(context, body, Optional.empty()))))
                .onComplete(stream -> RequestContext.run(context, () -> {
                    BodyReader.drop(context);
                    endWithSession(context);
                    new StreamSender(vertx, context, stream).send();
                }), context::fail);
    }

    private void events(Vertx vertx, RoutingContext context, EventStreamHandler handler) {
        guarded(() -> handler.handle(new Call(context, new JsonObject(), Optional.empty())))
                .onComplete(served -> RequestContext.run(context, () -> {
                    endWithSession(context);
                    // The headers are not needed any more. The token alone would occupy a kilobyte for as long as the stream is open.
                    context.request().headers().clear();
                    served.accept(EventStream.open(vertx, context.request(), then -> context.addEndHandler(over -> then.run())));
                }), context::fail);
    }

    /** Aborts a long exchange, such as an upload or a download, when the session of its caller ends. */
    private void endWithSession(RoutingContext context) {
        Caller caller = context.get(Authentication.CALLER);
        if (caller == null) {
            return;
        }
        Context own = context.vertx().getOrCreateContext();
        Runnable unwatch = tokens.whenEnded(caller, () -> own.runOnContext(on -> {
            HttpServerResponse response = context.response();
            if (!response.ended() && !response.closed()) {
                LOG.info("request {}: broken off, because its session has ended", context.<String>get(RequestId.KEY));
                response.reset();
            }
        }));
        context.addEndHandler(over -> unwatch.run());
        if (context.response().ended() || context.response().closed()) {
            // The client has disconnected before, so its end handlers have run already.
            unwatch.run();
        }
    }

    private boolean isOver(RoutingContext context) {
        Caller caller = context.get(Authentication.CALLER);
        return caller != null && tokens.hasEnded(caller);
    }

    private <F extends FormFile> void upload(RoutingContext context, Operation operation, UploadHandler<F> handler) {
        endWithSession(context);
        context.request().pause();
        new UploadReader<F>(context, operation.form().orElseThrow(),
                (fields, complete, part) -> handler.begin(new Call(context, fields, Optional.empty()), complete, part),
                new UploadPace(settings.paceWindow().toMillis(), settings.paceBytesMin(), settings.uploadMost()), freeBlocks).read()
                .compose(form -> uploaded(context, operation, form, handler))
                .onComplete(reply -> sender.answer(context, owner(context), operation.idempotent(), reply), context::fail);
    }

    /** Completes an upload once for each idempotency key, which compares the fields and the hash of the file instead of a body. */
    private <F extends FormFile> Future<Reply> uploaded(
            RoutingContext context, Operation operation, UploadReader.Form<F> form, UploadHandler<F> handler) {
        if (isOver(context)) {
            return form.file().abandon().transform(abandoned -> Future.failedFuture(HttpError.TOKEN.refusal()));
        }
        AtomicBoolean taken = new AtomicBoolean();
        return once(context, operation, Buffer.buffer(CanonicalJson.text(form.fields().getMap()) + form.fileHash()), key -> {
            taken.set(true);
            return guarded(() -> handler.complete(new Call(context, form.fields(), key), form.file()));
        }).eventually(() -> taken.get() ? Future.succeededFuture() : form.file().abandon());
    }

    /** The steps before the body: measurement, trace, authentication, and the bound of answers that the caller has not read. */
    private List<Handler<RoutingContext>> firstSteps(Operation operation) {
        List<Handler<RoutingContext>> steps = new ArrayList<>();
        steps.add(new OperationTimer(meters, operation));
        steps.add(context -> {
            UndeclaredErrors.declare(context, operation.errors());
            context.next();
        });
        if (traces.isOn()) {
            steps.add(context -> trace(context, operation));
        }
        if (operation.oauthErrors()) {
            steps.add(context -> {
                context.put(ErrorBodies.OAUTH, true);
                context.next();
            });
        }
        steps.add(operation.bearer()
                ? new Authentication(tokens, browsers, callers, organizations, addresses, operation.permissions())
                : this::admitAddress);
        steps.add(context -> {
            sender.admit(owner(context));
            context.next();
        });
        return steps;
    }

    private void trace(RoutingContext context, Operation operation) {
        traces.name(operation.area() + "." + operation.id(), Map.of("acp.request.id", context.<String>get(RequestId.KEY)));
        traces.context().ifPresent(trace -> context.put(TRACE, trace));
        context.next();
    }

    private void readBody(List<Handler<RoutingContext>> steps, Operation operation) {
        if (operation.schema().isPresent()) {
            steps.add(context -> checkContentType(context, operation.urlEncoded()));
            long most = Math.min(Math.max(settings.bytesMax(), operation.bodyBytesMax()), operation.schemaBytesMax());
            steps.add(new BodyReader(settings, (int) most, bodies, OperationPipeline::owner));
        }
    }

    static ByteBudget.Owner owner(RoutingContext context) {
        Caller caller = context.get(Authentication.CALLER);
        return caller == null ? new ByteBudget.Owner(ClientNetwork.of(ClientAddress.of(context)), false) : new ByteBudget.Owner(caller.id().toString(), true, caller.tenant().toString());
    }

    private void admitAddress(RoutingContext context) {
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)), context.response().headers());
        context.next();
    }

    /** Refuses a wrong content type by the headers, before the body is read. */
    private static void checkContentType(RoutingContext context, boolean urlEncoded) {
        HttpServerRequest request = context.request();
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        boolean empty = "0".equals(length)
                || length == null && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null && request.version() != HttpVersion.HTTP_2;
        if (!(empty && type == null) && !isOf(urlEncoded ? URL_ENCODED : Reply.JSON, type)) {
            throw HttpError.CONTENT_TYPE.refusal(urlEncoded ? URL_ENCODED : Reply.JSON);
        }
        if (request.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
            throw HttpError.CONTENT_ENCODING.refusal();
        }
        context.next();
    }

    private static boolean isOf(String wanted, String contentType) {
        if (contentType == null) {
            return false;
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";");
        if (!parts[0].strip().equals(wanted)) {
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
        Buffer bytes = BodyReader.body(context);
        if (bytes.length() == 0) {
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
        Object body = operation.urlEncoded() ? UrlEncodedForm.parse(bytes) : JsonBody.parse(bytes);
        operation.schema().orElseThrow().check(body);
        if (body instanceof JsonObject object) {
            return object;
        }
        throw Refusal.badRequest("body: must be an object");
    }

    private Future<Reply> answer(RoutingContext context, Operation operation, JsonObject body, OperationHandler handler) {
        return once(context, operation, BodyReader.body(context), key -> guarded(() -> handler.handle(new Call(context, body, key))));
    }

    /** Calls the handler, or repeats the answer to the same {@code Idempotency-Key}. */
    private Future<Reply> once(RoutingContext context, Operation operation, Buffer body, Function<Optional<RequestKey>, Future<Reply>> run) {
        String key = operation.idempotent() ? context.request().getHeader(Idempotency.HEADER) : null;
        if (key == null || !operation.bearer()) {
            return run.apply(Optional.empty());
        }
        return idempotency.once(context.<Caller>get(Authentication.CALLER).id(), operation.area() + "." + operation.id(), key, body, run);
    }

    /** Turns an exception of a handler into a failed future. */
    private static <T> Future<T> guarded(Supplier<Future<T>> handler) {
        try {
            return handler.get();
        } catch (RuntimeException failed) {
            return Future.failedFuture(failed);
        }
    }
}
