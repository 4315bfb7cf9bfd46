package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the platform is compared with: an HTTP server that copies bodies into files and files into answers, and nothing else,
 * with an event loop per core as the platform has. Paths are {@code /store/<name>}, {@code /force/<name>} (the same, and
 * durable), {@code /hash/<name>} (the same, and hashed), {@code /keep/<name>} (the same, and its name durable as well, with a row in a database that is
 * committed: what anybody must do who answers that a file is kept), {@code /prove/<name>} (the same, and each block hashed by itself, so that a range
 * can be verified without the rest), {@code /record/<name>} (the same, with as many rows and commits as the platform has for a file),
 * {@code /copy/<name>}, {@code /proved/<name>} (the same, and hashed), and
 * {@code /kernel/<name>}, which the kernel copies and the process never sees.
 */
final class BareServer extends VerticleBase {

    private static final int BLOCK_BYTES = 262_144;

    /** As many as the platform has by default. */
    private static final int CONNECTIONS = 12;

    /** As the platform writes them in the transaction that adds a file to a filing. */
    private static final int ROWS_OF_FILE = 8;

    private final Path folder;
    private final int port;
    private final DatabaseUrl database;
    private Pool rows;

    private BareServer(Path folder, int port, DatabaseUrl database) {
        this.folder = folder;
        this.port = port;
        this.database = database;
    }

    /** @param arguments folder, port, and the variable of the environment that has the URL of the database */
    public static void main(String[] arguments) {
        DatabaseUrl database = DatabaseUrl.parse(System.getenv(arguments[2]));
        Vertx.vertx().deployVerticle(() -> new BareServer(Path.of(arguments[0]), Integer.parseInt(arguments[1]), database),
                        new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
                .onFailure(failed -> {
                    System.err.println("bare server: " + failed);
                    System.exit(1);
                });
    }

    @Override
    public Future<?> start() {
        rows = PgBuilder.pool().with(new PoolOptions().setMaxSize(CONNECTIONS).setShared(true).setName("rows"))
                .connectingTo(new PgConnectOptions().setHost(database.host()).setPort(database.port()).setDatabase(database.database())
                        .setUser(database.user()).setPassword(database.password()).setCachePreparedStatements(true)).using(vertx).build();
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
            case "hash" -> hash(request, file, false).compose(stored -> force(Path.of(file))).compose(forced -> request.response().end("stored"));
            case "keep" -> keep(request, path[2], false).compose(kept -> request.response().end("stored"));
            case "prove" -> keep(request, path[2], true).compose(kept -> request.response().end("stored"));
            case "record" -> record(request, path[2]).compose(kept -> request.response().end("stored"));
            case "copy" -> copy(request, file);
            case "proved" -> proved(request, file);
            case "kernel" -> request.response().sendFile(file);
            default -> request.response().setStatusCode(404).end();
        };
        answered.onFailure(failed -> request.response().reset());
    }

    private Future<Void> store(HttpServerRequest request, String file) {
        request.pause();
        return vertx.fileSystem().open(file, new OpenOptions().setWrite(true).setCreate(true).setTruncateExisting(true)).compose(request::pipeTo);
    }

    /**
     * Stores what comes and takes its SHA-256 on the way.
     *
     * @param blocks whether each block is hashed by itself as well
     */
    private Future<Void> hash(HttpServerRequest request, String file, boolean blocks) {
        request.pause();
        MessageDigest digest = sha256();
        MessageDigest block = sha256();
        int[] inBlock = {0};
        return vertx.fileSystem().open(file, new OpenOptions().setWrite(true).setCreate(true).setTruncateExisting(true)).compose(open -> {
            Promise<Void> ended = Promise.promise();
            request.exceptionHandler(ended::tryFail).endHandler(end -> ended.tryComplete()).handler(chunk -> {
                byte[] bytes = chunk.getBytes();
                digest.update(bytes);
                for (int from = 0, count; blocks && from < bytes.length; from += count) {
                    count = Math.min(bytes.length - from, BLOCK_BYTES - inBlock[0]);
                    block.update(bytes, from, count);
                    inBlock[0] = (inBlock[0] + count) % BLOCK_BYTES;
                    if (inBlock[0] == 0) {
                        block.digest();
                    }
                }
                open.write(chunk).onFailure(ended::tryFail);
                if (open.writeQueueFull()) {
                    request.pause();
                    open.drainHandler(drained -> request.resume());
                }
            });
            request.resume();
            return ended.future().compose(all -> open.close()).onSuccess(closed -> digest.digest());
        });
    }

    private Future<Void> keep(HttpServerRequest request, String name, boolean blocks) {
        return named(request, name, blocks)
                .compose(named -> rows.preparedQuery("insert into bench.kept (name, kept) values ($1, now())").execute(Tuple.of(name)))
                .mapEmpty();
    }

    /**
     * Before the first byte a row is committed, by which what a dead upload leaves behind is found. With the name, one transaction removes it and
     * writes the rows of the file, its filing, two sums of bytes, the audit trail, the event log, and what is to be indexed, in two tables.
     */
    private Future<Void> record(HttpServerRequest request, String name) {
        request.pause();
        return rows.preparedQuery("insert into bench.pending (name, touched) values ($1, now())").execute(Tuple.of(name))
                .compose(pending -> named(request, name, true))
                .compose(named -> rows.withTransaction(transaction -> {
                    List<Future<?>> sent = new ArrayList<>();
                    for (int row = 0; row < ROWS_OF_FILE; row++) {
                        sent.add(transaction.preparedQuery("insert into bench.recorded (name, place, content, recorded) values ($1, $2, $3, now())")
                                .execute(Tuple.of(name, row, name)));
                    }
                    sent.add(transaction.preparedQuery("delete from bench.pending where name = $1").execute(Tuple.of(name)));
                    return Future.all(sent);
                })).mapEmpty();
    }

    private Future<Void> named(HttpServerRequest request, String name, boolean blocks) {
        String coming = folder.resolve(name + ".coming").toString();
        return hash(request, coming, blocks)
                .compose(stored -> force(Path.of(coming)))
                .compose(forced -> vertx.executeBlocking(() -> {
                    Files.move(Path.of(coming), folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                        names.force(true);
                    }
                    return null;
                }, false));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Sends a file and takes the SHA-256 of what it sends. */
    private Future<Void> proved(HttpServerRequest request, String file) {
        MessageDigest digest = sha256();
        return vertx.fileSystem().props(file)
                .compose(known -> vertx.fileSystem().open(file, new OpenOptions().setRead(true)).compose(open -> {
                    AsyncFile from = open.setReadBufferSize(BLOCK_BYTES);
                    HttpServerResponse response = request.response().putHeader("Content-Length", String.valueOf(known.size()));
                    Promise<Void> ended = Promise.promise();
                    from.exceptionHandler(ended::tryFail).endHandler(end -> ended.tryComplete()).handler(chunk -> {
                        digest.update(chunk.getBytes());
                        response.write(chunk).onFailure(ended::tryFail);
                        if (response.writeQueueFull()) {
                            from.pause();
                            response.drainHandler(drained -> from.resume());
                        }
                    });
                    return ended.future().compose(all -> response.end()).onSuccess(sent -> digest.digest());
                }));
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
