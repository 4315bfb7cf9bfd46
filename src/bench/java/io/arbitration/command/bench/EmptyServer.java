package io.arbitration.command.bench;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;

/** An HTTP server of Vert.x that answers with nothing: what a platform that starts is compared with. */
final class EmptyServer {

    private EmptyServer() {}

    /** @param arguments the port; a second argument makes it send itself a request and end, for the start-up cache that is recorded meanwhile */
    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        int port = Integer.parseInt(arguments[0]);
        vertx.createHttpServer().requestHandler(request -> request.response().end()).listen(port, "127.0.0.1").onComplete(listening -> {
            if (arguments.length > 1) {
                vertx.createHttpClient().request(HttpMethod.GET, port, "127.0.0.1", "/").compose(request -> request.send())
                        .onComplete(answered -> System.exit(0), failed -> System.exit(1));
            }
        }, failed -> System.exit(1));
    }
}
