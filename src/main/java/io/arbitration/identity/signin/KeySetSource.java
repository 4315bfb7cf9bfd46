package io.arbitration.identity.signin;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Reads the key sets of identity providers from files or URLs, which only the configuration names. */
public final class KeySetSource {

    private final Vertx vertx;
    private final ProviderHttp http;

    public KeySetSource(Vertx vertx) {
        this(vertx, new ProviderHttp(vertx));
    }

    KeySetSource(Vertx vertx, ProviderHttp http) {
        this.vertx = vertx;
        this.http = http;
    }

    public Supplier<Future<String>> file(Path file) {
        return () -> vertx.fileSystem().props(file.toString())
                .compose(properties -> properties.size() > ProviderKeys.SET_LENGTH_MAX
                        ? Future.failedFuture("%s is longer than %d bytes".formatted(file, ProviderKeys.SET_LENGTH_MAX))
                        : vertx.fileSystem().readFile(file.toString()))
                .map(bytes -> bytes.toString(StandardCharsets.UTF_8));
    }

    public Supplier<Future<String>> url(String url) {
        return () -> http.get(url, "application/jwk-set+json, application/json", ProviderKeys.SET_LENGTH_MAX);
    }
}
