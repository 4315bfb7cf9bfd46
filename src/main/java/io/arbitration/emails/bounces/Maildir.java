package io.arbitration.emails.bounces;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * A maildir: a mail server puts each message into {@code new} as a file of its own; a reader that has seen one moves it to {@code cur}.
 * Two nodes may read the same one: a file that another has taken meanwhile is left out.
 */
final class Maildir implements BounceMailbox {

    /** Names that are looked through in one look. */
    private static final int NAMES_MAX = 10_000;

    private final Vertx vertx;
    private final Path arrived;
    private final Path seen;

    Maildir(Vertx vertx, Path folder) {
        this.vertx = vertx;
        this.arrived = folder.resolve("new");
        this.seen = folder.resolve("cur");
    }

    private record Message(Path file, byte[] bytes) {}

    @Override
    public Future<Integer> look(Function<List<byte[]>, Future<List<Verdict>>> reader) {
        return vertx.executeBlocking(this::messages, false).compose(messages -> messages.isEmpty() ? Future.succeededFuture(0)
                : reader.apply(messages.stream().map(Message::bytes).toList())
                        .compose(verdicts -> vertx.executeBlocking(() -> {
                            settle(messages, verdicts);
                            return messages.size();
                        }, false)));
    }

    private List<Message> messages() throws IOException {
        List<Message> messages = new ArrayList<>();
        long bytes = 0;
        for (Path file : oldest()) {
            if (bytes > LOOK_BYTES_MAX) {
                break;
            }
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                messages.add(new Message(file, in.readNBytes(BYTES_MAX)));
                bytes += messages.getLast().bytes().length;
            } catch (NoSuchFileException takenByAnother) {
                continue;
            }
        }
        return messages;
    }

    /** The names of messages begin with the time of their arrival. */
    private List<Path> oldest() throws IOException {
        List<Path> files = new ArrayList<>();
        // No link is followed, and nothing but a file is opened: whoever may write here may not make us read something else.
        try (DirectoryStream<Path> all = Files.newDirectoryStream(arrived,
                file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !file.getFileName().toString().startsWith("."))) {
            Iterator<Path> each = all.iterator();
            while (files.size() < NAMES_MAX && each.hasNext()) {
                files.add(each.next());
            }
        }
        files.sort(Comparator.comparing(Path::getFileName));
        return files.subList(0, Math.min(files.size(), MESSAGES_MAX));
    }

    private void settle(List<Message> messages, List<Verdict> verdicts) throws IOException {
        for (int i = 0; i < messages.size(); i++) {
            Path file = messages.get(i).file;
            switch (verdicts.get(i)) {
                case RECORDED -> Files.deleteIfExists(file);
                case NOT_UNDERSTOOD -> toSeen(file);
                case LATER -> { }
            }
        }
    }

    private void toSeen(Path file) throws IOException {
        Files.createDirectories(seen);
        try {
            Files.move(file, seen.resolve(file.getFileName() + ":2,S"));
        } catch (NoSuchFileException takenByAnother) {
            return;
        }
    }
}
