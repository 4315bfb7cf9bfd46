package io.arbitration.platform.browser;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The connection to a browser, with the Chrome DevTools Protocol and flat sessions. Commands are answered in any order, each
 * within its time limit; when the connection ends, all waiting commands fail. Thread-safe; answers and events come on the context
 * on which it was created.
 */
public final class DevTools {

    private record Waiting(String method, Promise<JsonObject> answer, long timer) {}

    private record Listener(String sessionId, String method, Consumer<JsonObject> handler) {}

    /** Ends a registration. */
    @FunctionalInterface
    public interface Registration {
        void end();
    }

    private final Vertx vertx;
    private final Context context;
    private final Pipe pipe;
    private final Duration within;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Promise<Void> ended = Promise.promise();
    private volatile boolean gone;

    private DevTools(Vertx vertx, Pipe pipe, Duration within) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.pipe = pipe;
        this.within = within;
    }

    /**
     * Communicates over the pipe.
     *
     * @param within time for each command, from sending it to its answer
     */
    static DevTools over(Vertx vertx, Pipe pipe, Duration within) {
        DevTools devTools = new DevTools(vertx, pipe, within);
        pipe.open(message -> devTools.context.runOnContext(ignored -> devTools.take(message)),
                () -> devTools.context.runOnContext(ignored -> devTools.end()));
        return devTools;
    }

    private void take(JsonObject message) {
        Long id = message.getLong("id");
        if (id == null) {
            String sessionId = message.getString("sessionId", "");
            String method = message.getString("method");
            for (Listener listener : listeners) {
                if (listener.sessionId.equals(sessionId) && listener.method.equals(method)) {
                    listener.handler.accept(message.getJsonObject("params", new JsonObject()));
                }
            }
            return;
        }
        Waiting its = waiting.remove(id);
        if (its != null) {
            vertx.cancelTimer(its.timer);
            JsonObject error = message.getJsonObject("error");
            if (error == null) {
                its.answer.complete(message.getJsonObject("result", new JsonObject()));
            } else {
                its.answer.fail(new BrowserFailure("%s: %s".formatted(its.method, error.getString("message"))));
            }
        }
    }

    private void end() {
        gone = true;
        waiting.keySet().forEach(id -> {
            Waiting its = waiting.remove(id);
            if (its != null) {
                vertx.cancelTimer(its.timer);
                its.answer.fail(new BrowserFailure(its.method + ": the browser has gone"));
            }
        });
        ended.tryComplete();
    }

    /** A command to the browser itself. */
    public Future<JsonObject> call(String method, JsonObject parameters) {
        return call("", method, parameters);
    }

    /** Answers the result; fails with {@link BrowserFailure}. */
    Future<JsonObject> call(String sessionId, String method, JsonObject parameters) {
        return call(sessionId, method, parameters, within);
    }

    Future<JsonObject> call(String sessionId, String method, JsonObject parameters, Duration within) {
        long id = lastId.incrementAndGet();
        Promise<JsonObject> answer = Promise.promise();
        long timer = vertx.setTimer(within.toMillis(), late -> {
            if (waiting.remove(id) != null) {
                answer.fail(new BrowserFailure("%s: no answer within %d ms".formatted(method, within.toMillis())));
            }
        });
        waiting.put(id, new Waiting(method, answer, timer));
        JsonObject command = new JsonObject().put("id", id).put("method", method).put("params", parameters);
        if (!sessionId.isEmpty()) {
            command.put("sessionId", sessionId);
        }
        if ((gone || !pipe.send(command)) && waiting.remove(id) != null) {
            vertx.cancelTimer(timer);
            answer.fail(new BrowserFailure(method + ": the browser has gone"));
        }
        return answer.future();
    }

    /** Passes on each event of the browser itself. */
    public Registration on(String method, Consumer<JsonObject> handler) {
        return on("", method, handler);
    }

    Registration on(String sessionId, String method, Consumer<JsonObject> handler) {
        Listener listener = new Listener(sessionId, method, handler);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Removes the listeners of a session that has ended. */
    void removeListeners(String sessionId) {
        listeners.removeIf(listener -> listener.sessionId.equals(sessionId));
    }

    /** Whether the connection has ended. */
    boolean isGone() {
        return gone;
    }

    /** Completes when the connection has ended, for any reason. */
    public Future<Void> ended() {
        return ended.future();
    }

    /** Asks the browser to end. A browser that hangs does not, so nobody may wait for {@link #ended} without a bound. */
    void close() {
        pipe.close();
    }

    /** The process at the other end has died; later output of its child processes is ignored. From any thread. */
    void died() {
        pipe.close();
        context.runOnContext(ignored -> end());
    }
}
