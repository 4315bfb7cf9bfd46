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
import java.util.List;
import java.util.function.Function;

/**
 * A maildir: a mail server puts each message into {@code new} as a file of its own; a reader that has seen one moves it to {@code cur}.
 * Two nodes may read the same one: a file that another has taken meanwhile is left out.
 */
final class Maildir implements BounceMailbox {

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
        // No link is followed, and nothing but a file is opened: whoever may write here may not make us read something else.
        try (DirectoryStream<Path> files = Files.newDirectoryStream(arrived,
                file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !file.getFileName().toString().startsWith("."))) {
            for (Path file : files) {
                if (messages.size() == MESSAGES_MAX) {
                    break;
                }
                try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                    messages.add(new Message(file, in.readNBytes(BYTES_MAX)));
                } catch (NoSuchFileException takenByAnother) {
                    continue;
                }
            }
        }
        return messages;
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
