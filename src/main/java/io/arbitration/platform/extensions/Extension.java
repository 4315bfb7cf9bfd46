package io.arbitration.platform.extensions;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One verticle of the operator, from a folder with its descriptor and its jars. Its classes are searched in the platform first,
 * then in its jars, so that it shares Vert.x with the platform, and none of its classes with another extension.
 */
final class Extension {

    private static final int JARS_MAX = 500;
    private static final int TROUBLE_CHARACTERS_MAX = 300;
    private static final long STOP_MILLIS_MAX = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(Extension.class);

    private final Vertx vertx;
    private final Path folder;
    private volatile String name;
    private volatile boolean started;
    private volatile Optional<String> failure = Optional.empty();
    private volatile Optional<Future<String>> deployment = Optional.empty();
    private volatile URLClassLoader loader;

    /** @param folder of its descriptor and jars; the extension is named by its folder until its descriptor was read */
    Extension(Vertx vertx, Path folder) {
        this.vertx = vertx;
        this.folder = folder;
        this.name = folder.getFileName().toString();
    }

    String name() {
        return name;
    }

    boolean started() {
        return started;
    }

    /** Why it does not run; empty if it runs or is still starting. */
    Optional<String> failure() {
        return started ? Optional.empty() : failure;
    }

    /** Reads its descriptor; empty if this fails, which is then the reason why it does not run. */
    Optional<ExtensionDescriptor> read() {
        try {
            ExtensionDescriptor descriptor = ExtensionDescriptor.read(folder);
            name = descriptor.name();
            return Optional.of(descriptor);
        } catch (ExtensionFailure wrong) {
            fail(wrong);
            return Optional.empty();
        }
    }

    /** Records the reason why it does not run. */
    void refuse(String reason) {
        fail(new ExtensionFailure(reason));
    }

    /**
     * Starts the verticle. If it has not started after the given time, it is reported, and counts as started when it starts
     * later. Its constructor and the initializers of its classes may block, so they run on a thread of their own.
     */
    void start(ExtensionDescriptor descriptor, long patienceMillis) {
        Promise<String> deployed = Promise.promise();
        Future<String> starting = deployed.future();
        deployment = Optional.of(starting);
        Thread.ofPlatform().daemon().name("extension-" + name).start(() -> {
            try {
                loader = new URLClassLoader("extension-" + name, jars(), Extension.class.getClassLoader());
                Thread.currentThread().setContextClassLoader(loader);
                vertx.deployVerticle(verticle(descriptor.main()), new DeploymentOptions().setConfig(descriptor.configuration())
                        .setThreadingModel(descriptor.threads()).setClassLoader(loader)
                        // A pool of its own, so that blocking delays no other work.
                        .setWorkerPoolName("extension-" + name).setWorkerPoolSize(1)).onComplete(deployed);
            } catch (Throwable failed) {
                deployed.fail(failed);
            }
        });
        long late = vertx.setTimer(patienceMillis, timer -> {
            if (!starting.isComplete()) {
                refuse("has not started within %d s".formatted(TimeUnit.MILLISECONDS.toSeconds(patienceMillis)));
            }
        });
        starting.onComplete(any -> vertx.cancelTimer(late)).onSuccess(id -> {
            started = true;
            LOG.info("extension {} runs", name);
        }).onFailure(this::fail);
    }

    private URL[] jars() throws IOException {
        TreeSet<Path> files = new TreeSet<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path file : found) {
                if (files.size() == JARS_MAX) {
                    throw new ExtensionFailure("has more than %d jars".formatted(JARS_MAX));
                }
                files.add(file);
            }
        }
        if (files.isEmpty()) {
            throw new ExtensionFailure("has no jar");
        }
        List<URL> urls = new ArrayList<>();
        for (Path file : files) {
            urls.add(file.toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private Deployable verticle(String main) throws Throwable {
        Object made;
        try {
            made = loader.loadClass(main).getConstructor().newInstance();
        } catch (ClassNotFoundException missing) {
            throw new ExtensionFailure("there is no class %s in its jars".formatted(main), missing);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException unusable) {
            throw new ExtensionFailure("%s has no public constructor without parameters".formatted(main), unusable);
        } catch (java.lang.reflect.InvocationTargetException failed) {
            throw failed.getCause();
        }
        if (made instanceof Deployable verticle) {
            return verticle;
        }
        throw new ExtensionFailure("%s is no verticle of Vert.x".formatted(main));
    }

    private void fail(Throwable failed) {
        String why = reason(failed);
        failure = Optional.of(why.length() > TROUBLE_CHARACTERS_MAX ? why.substring(0, TROUBLE_CHARACTERS_MAX) + "…" : why);
        if (failed instanceof ExtensionFailure) {
            LOG.warn("extension {} did not start: {}", name, why);
        } else {
            LOG.warn("extension {} did not start", name, failed);
        }
    }

    private static String reason(Throwable failed) {
        return switch (failed) {
            case ExtensionFailure known -> known.getMessage();
            case ExceptionInInitializerError wrapping when wrapping.getCause() != null -> wrapping.getCause().toString();
            // A future that was failed with a text has no stack trace; the text is the reason.
            case Throwable said when said.getStackTrace().length == 0 && said.getMessage() != null -> said.getMessage();
            default -> failed.toString();
        };
    }

    /**
     * Completes when the verticle has stopped, or after {@value #STOP_MILLIS_MAX} ms. A verticle that is still starting stops
     * when it has started. Then its class loader is closed.
     */
    Future<Void> stop() {
        Future<Void> stopped = deployment.map(starting -> starting.compose(vertx::undeploy, never -> Future.succeededFuture())
                .timeout(STOP_MILLIS_MAX, TimeUnit.MILLISECONDS)).orElseGet(Future::succeededFuture);
        return stopped.onFailure(failed -> LOG.warn("extension {} did not stop", name, failed)).eventually(this::close);
    }

    private Future<Void> close() {
        try {
            if (loader != null) {
                loader.close();
            }
            return Future.succeededFuture();
        } catch (IOException failed) {
            return Future.failedFuture(failed);
        }
    }
}
