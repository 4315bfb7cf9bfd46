package io.arbitration.emails.bounces;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaildirTest {

    private final Vertx vertx = Vertx.vertx();
    @TempDir
    private Path folder;
    private Maildir maildir;

    @BeforeEach
    void make() throws IOException {
        Files.createDirectories(folder.resolve("new"));
        maildir = new Maildir(vertx, folder);
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private void arrives(String name, String text) throws IOException {
        Files.writeString(folder.resolve("new").resolve(name), text);
    }

    private static List<String> names(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatIsRecordedIsDeletedWhatIsNotUnderstoodIsKeptForAPersonAndTheRestStays() throws IOException {
        arrives("1", "recorded");
        arrives("2", "strange");
        arrives("3", "later");
        List<String> read = new ArrayList<>();
        assertThat(Await.result(maildir.processNew(messages -> {
            messages.forEach(message -> read.add(new String(message)));
            return Future.succeededFuture(messages.stream().map(message -> switch (new String(message)) {
                case "recorded" -> BounceMailbox.Verdict.RECORDED;
                case "strange" -> BounceMailbox.Verdict.NOT_UNDERSTOOD;
                default -> BounceMailbox.Verdict.LATER;
            }).toList());
        }))).isEqualTo(3);
        assertThat(read).containsExactlyInAnyOrder("recorded", "strange", "later");
        assertThat(names(folder.resolve("new"))).containsExactly("3");
        assertThat(names(folder.resolve("cur"))).containsExactly("2:2,S");
    }

    @Test
    void noLinkIsFollowedAndMessagesAreBoundedInNumberAndInBytes() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Files.createSymbolicLink(folder.resolve("new/0-link"), secret);
        Files.createDirectories(folder.resolve("new/0-folder"));
        arrives(".hidden", "x");
        arrives("large", "x".repeat(BounceMailbox.BYTES_MAX + 10));
        for (int i = 0; i < BounceMailbox.MESSAGES_MAX + 20; i++) {
            arrives("m" + i, "m");
        }
        List<Integer> looks = new ArrayList<>();
        for (int look = 0; look < 3; look++) {
            looks.add(Await.result(maildir.processNew(messages -> {
                assertThat(messages).allSatisfy(message -> {
                    assertThat(message.length).isLessThanOrEqualTo(BounceMailbox.BYTES_MAX);
                    assertThat(new String(message)).isNotEqualTo("secret");
                });
                return Future.succeededFuture(messages.stream().map(message -> BounceMailbox.Verdict.RECORDED).toList());
            })));
        }
        assertThat(looks).containsExactly(100, 21, 0);
        assertThat(secret).hasContent("secret");
    }

    /** A hundred of the largest would take the heap of a small node. */
    @Test
    void aLookHoldsSoManyBytes() throws IOException {
        for (int i = 0; i < 8; i++) {
            arrives("m" + i, "x".repeat(BounceMailbox.BYTES_MAX));
        }
        List<Integer> looks = new ArrayList<>();
        for (int look = 0; look < 3; look++) {
            looks.add(Await.result(maildir.processNew(messages -> Future.succeededFuture(messages.stream().map(message -> BounceMailbox.Verdict.RECORDED).toList()))));
        }
        assertThat(looks).containsExactly(5, 3, 0);
    }
}
