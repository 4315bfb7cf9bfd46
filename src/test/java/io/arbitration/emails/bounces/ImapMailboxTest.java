package io.arbitration.emails.bounces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A mailbox on a server that repeats the command which it refuses. */
class ImapMailboxTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** Has one unseen message, takes the first logins, and then refuses them with the words of the command. */
    private static void serve(ServerSocket server, int loginsTaken) {
        AtomicInteger logins = new AtomicInteger();
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket connection = server.accept(); PrintWriter out = new PrintWriter(connection.getOutputStream(), false, StandardCharsets.UTF_8);
                        BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                    say(out, "* OK ready");
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        String[] parts = line.split(" ", 3);
                        switch (parts[1]) {
                            case "CAPABILITY" -> say(out, "* CAPABILITY IMAP4rev1");
                            case "EXAMINE" -> say(out, "* 1 EXISTS", "* 0 RECENT", "* FLAGS (\\Seen)", "* OK [UIDVALIDITY 7] valid", "* OK [UIDNEXT 2] next");
                            case "SEARCH" -> say(out, "* SEARCH 1");
                            case "FETCH" -> say(out, parts[2].contains("BODY") ? "* 1 FETCH (BODY[]<0> {12}\r\nSubject: x\r\n)" : "* 1 FETCH (UID 1)");
                            default -> { }
                        }
                        boolean isRefused = parts[1].equals("LOGIN") && logins.incrementAndGet() > loginsTaken;
                        say(out, parts[0] + (isRefused ? " NO not now: LOGIN " + parts[2] : " OK done"));
                    }
                } catch (IOException closed) {
                    // The server was closed, or the mailbox has ended its connection.
                }
            }
        });
    }

    private static void say(PrintWriter out, String... lines) {
        List.of(lines).forEach(line -> out.print(line + "\r\n"));
        out.flush();
    }

    private void processesWithoutShowingThePassword(int loginsTaken) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            serve(server, loginsTaken);
            AtomicInteger read = new AtomicInteger();
            BounceMailbox mailbox = new ImapMailbox(vertx, ImapUrl.parse("imap://mail:se%22cret@127.0.0.1:" + server.getLocalPort()));
            assertThatThrownBy(() -> Await.result(mailbox.processNew(messages -> {
                read.addAndGet(messages.size());
                return Future.succeededFuture(List.of(BounceMailbox.Verdict.NOT_UNDERSTOOD));
            }))).hasMessageContaining("not now").hasMessageContaining("***").hasMessageNotContaining("cret");
            assertThat(read).hasValue(loginsTaken);
        }
    }

    @Test
    void aRefusedLoginDoesNotShowThePassword() throws IOException {
        processesWithoutShowingThePassword(0);
    }

    @Test
    void aLoginThatIsRefusedAfterTheMessagesWereReadDoesNotShowItEither() throws IOException {
        processesWithoutShowingThePassword(1);
    }
}
