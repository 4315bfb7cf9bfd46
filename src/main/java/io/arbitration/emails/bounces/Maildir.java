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
 * A maildir: a mail server puts each message into {@code new} as a file of its own; a reader moves the messages that it has read
 * to {@code cur}. Two nodes may read the same maildir: a file that another node has moved meanwhile is skipped.
 */
final class Maildir implements BounceMailbox {

    /** Names that one check examines. */
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
    public String name() {
        return "maildir";
    }

    @Override
    public Future<Integer> processNew(Function<List<byte[]>, Future<List<Verdict>>> reader) {
        return vertx.executeBlocking(this::messages, false).compose(messages -> messages.isEmpty() ? Future.succeededFuture(0)
                : reader.apply(messages.stream().map(Message::bytes).toList())
                        .compose(verdicts -> vertx.executeBlocking(() -> {
                            applyVerdicts(messages, verdicts);
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
        // Follows no links and opens only regular files, so that a program that may write here cannot make us read other files.
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

    private void applyVerdicts(List<Message> messages, List<Verdict> verdicts) throws IOException {
        for (int i = 0; i < messages.size(); i++) {
            Path file = messages.get(i).file;
            switch (verdicts.get(i)) {
                case RECORDED -> Files.deleteIfExists(file);
                case NOT_UNDERSTOOD -> markSeen(file);
                case LATER -> { }
            }
        }
    }

    private void markSeen(Path file) throws IOException {
        Files.createDirectories(seen);
        try {
            Files.move(file, seen.resolve(file.getFileName() + ":2,S"));
        } catch (NoSuchFileException takenByAnother) {
            return;
        }
    }
}
