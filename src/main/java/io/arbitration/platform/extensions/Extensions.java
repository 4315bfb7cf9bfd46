package io.arbitration.platform.extensions;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's own verticles of this node, each from a folder below {@code extensions.folder}. A fault of one of them affects
 * only itself: health names it, and the node and the other extensions continue.
 */
public final class Extensions {

    private static final int TROUBLES_MAX = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Extensions.class);

    private final ExtensionSettings settings;
    private final List<Extension> all = new ArrayList<>();
    private Optional<String> trouble = Optional.empty();

    private Extensions(ExtensionSettings settings) {
        this.settings = settings;
    }

    /** Reads the folder and begins to start its extensions, without waiting for them. Blocks while it reads. */
    public static Extensions start(Vertx vertx, ExtensionSettings settings) {
        Extensions extensions = new Extensions(settings);
        settings.folder().ifPresent(folder -> extensions.startAll(vertx, folder));
        return extensions;
    }

    private void startAll(Vertx vertx, Path folder) {
        Set<String> names = new HashSet<>();
        List<Path> entries = List.copyOf(entries(folder));
        int most = settings.countMax() + TROUBLES_MAX;
        if (entries.size() > most) {
            trouble = Optional.of("extensions.folder has %d entries; what is behind the first %d is not looked at".formatted(entries.size(), most));
        }
        for (Path one : entries.subList(0, Math.min(entries.size(), most))) {
            Extension extension = new Extension(vertx, one);
            all.add(extension);
            if (!Files.isDirectory(one)) {
                extension.refuse("is no folder; an extension is a folder with %s and jars".formatted(ExtensionDescriptor.FILE));
                continue;
            }
            extension.read().ifPresent(descriptor -> {
                if (!names.add(descriptor.name())) {
                    extension.refuse("the folder %s is not started: another extension has the name".formatted(one.getFileName()));
                } else if (names.size() > settings.countMax()) {
                    extension.refuse("is one more than extensions.countMax %d".formatted(settings.countMax()));
                } else {
                    extension.start(descriptor, settings.patience().toMillis());
                }
            });
        }
    }

    /** Hidden entries are skipped: a mounted volume has some of its own. */
    private TreeSet<Path> entries(Path folder) {
        TreeSet<Path> entries = new TreeSet<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, entry -> !entry.getFileName().toString().startsWith("."))) {
            found.forEach(entries::add);
        } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
            trouble = Optional.of("extensions.folder %s cannot be read".formatted(folder));
            LOG.warn("extensions.folder {} cannot be read", folder, unreadable);
        }
        return entries;
    }

    /** Their state: {@code DOWN} if one does not run, with the reason for each such one. From any thread. */
    public PartState state() {
        if (settings.folder().isEmpty()) {
            return PartState.of("OFF");
        }
        List<String> troubles = new ArrayList<>(trouble.stream().toList());
        all.forEach(extension -> extension.failure().ifPresent(why -> troubles.add(extension.name() + ": " + why)));
        if (!troubles.isEmpty()) {
            return new PartState("DOWN", Optional.of(troubles.stream().limit(TROUBLES_MAX).collect(Collectors.joining("; "))));
        }
        return PartState.of(all.stream().allMatch(Extension::started) ? "UP" : "STARTING");
    }

    /** Stops all of them; completes when each has stopped or its time is over. */
    public Future<?> stop() {
        return Future.join(all.stream().map(Extension::stop).toList());
    }
}
