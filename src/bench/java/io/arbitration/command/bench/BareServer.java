package io.arbitration.command.bench;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the platform is compared with: an HTTP server that copies bodies into files and files into answers, and nothing else,
 * with an event loop per core as the platform has. Paths are {@code /store/<name>}, {@code /force/<name>} (the same, and
 * durable), {@code /copy/<name>}, and {@code /kernel/<name>}, which the kernel copies and the process never sees.
 */
final class BareServer extends VerticleBase {

    private static final int BLOCK_BYTES = 262_144;

    private final Path folder;
    private final int port;

    private BareServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** @param arguments folder and port */
    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(() -> new BareServer(Path.of(arguments[0]), Integer.parseInt(arguments[1])),
                        new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
                .onFailure(failed -> {
                    System.err.println("bare server: " + failed);
                    System.exit(1);
                });
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer(new HttpServerOptions().setTcpNoDelay(true)).requestHandler(this::answer).listen(port, "127.0.0.1");
    }

    private void answer(HttpServerRequest request) {
        String[] path = request.path().split("/");
        if (path.length != 3) {
            request.response().end("here");
            return;
        }
        String file = folder.resolve(path[2]).toString();
        Future<?> answered = switch (path[1]) {
            case "store" -> store(request, file).compose(stored -> request.response().end("stored"));
            case "force" -> store(request, file).compose(stored -> force(Path.of(file))).compose(forced -> request.response().end("stored"));
            case "copy" -> copy(request, file);
            case "kernel" -> request.response().sendFile(file);
            default -> request.response().setStatusCode(404).end();
        };
        answered.onFailure(failed -> request.response().reset());
    }

    private Future<Void> store(HttpServerRequest request, String file) {
        request.pause();
        return vertx.fileSystem().open(file, new OpenOptions().setWrite(true).setCreate(true).setTruncateExisting(true)).compose(request::pipeTo);
    }

    private Future<Void> force(Path file) {
        return vertx.executeBlocking(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            return null;
        }, false);
    }

    private Future<Void> copy(HttpServerRequest request, String file) {
        return vertx.fileSystem().props(file)
                .compose(known -> vertx.fileSystem().open(file, new OpenOptions().setRead(true)).compose(open -> {
                    AsyncFile from = open.setReadBufferSize(BLOCK_BYTES);
                    request.response().putHeader("Content-Length", String.valueOf(known.size()));
                    return from.pipeTo(request.response());
                }));
    }
}
