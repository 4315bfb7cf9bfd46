package io.arbitration.emails;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A mail server (RFC 5321) that answers as a test wants, keeps what it took, and can be away. */
public final class ScriptedMailServer implements AutoCloseable {

    /** What a mail server may do when it is told whom a mail is for, or has the mail. */
    public enum Step { RECIPIENT, MESSAGE }

    /** A mail as it arrived, headers and body with CRLF. */
    public record Taken(String recipient, String message, boolean encrypted, String login) {
        String header(String name) {
            return message.replace("\r\n ", " ").lines().filter(line -> line.startsWith(name + ": ")).findFirst().orElseThrow().substring(name.length() + 2);
        }
    }

    /** Decides what is answered; null hangs, an empty text closes the connection. */
    @FunctionalInterface
    public interface Script {
        String answer(Step step, String recipient, int time);
    }

    private final ServerSocket socket;
    private final List<Taken> taken = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private volatile Script script = (step, recipient, time) -> "250 OK";
    private volatile SSLContext tls;
    private volatile boolean login;
    private volatile boolean refusingLogins;

    public ScriptedMailServer() {
        this(0);
    }

    ScriptedMailServer(int port) {
        try {
            socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public ScriptedMailServer answering(Script answers) {
        this.script = answers;
        return this;
    }

    /** Offers STARTTLS. */
    ScriptedMailServer with(SSLContext context) {
        this.tls = context;
        return this;
    }

    /** Whether it takes no password any more, as when it was changed. */
    void refusesLogins(boolean refusing) {
        this.refusingLogins = refusing;
    }

    /** Asks for a user and a password. */
    ScriptedMailServer withLogin() {
        this.login = true;
        return this;
    }

    public int port() {
        return socket.getLocalPort();
    }

    public String url() {
        return "smtp://localhost:" + port();
    }

    List<Taken> taken(Predicate<Taken> which) {
        return taken.stream().filter(which).toList();
    }

    public List<Taken> takenFor(String recipient) {
        return taken(one -> one.recipient().equals(recipient));
    }

    /** Every line that was not part of a message. */
    String commands() {
        return commands.stream().collect(Collectors.joining("\n"));
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                open.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            new Dialogue(connection).run();
        } catch (IOException broken) {
            // The other side went away, as it may.
        }
    }

    private final class Dialogue {

        private Socket socket;
        private BufferedReader in;
        private OutputStream out;
        private String recipient;
        private String user = "";

        Dialogue(Socket socket) throws IOException {
            use(socket);
        }

        private void use(Socket used) throws IOException {
            this.socket = used;
            this.in = new BufferedReader(new InputStreamReader(used.getInputStream(), StandardCharsets.ISO_8859_1));
            this.out = used.getOutputStream();
        }

        private void say(String line) throws IOException {
            out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        void run() throws IOException {
            say("220 scripted ESMTP");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                commands.add(line);
                String verb = line.split(" ")[0].toUpperCase();
                switch (verb) {
                    case "EHLO" -> greet();
                    case "STARTTLS" -> {
                        say("220 go ahead");
                        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true);
                        secure.setUseClientMode(false);
                        use(secure);
                    }
                    case "AUTH" -> {
                        String given = line.split(" ")[2];
                        user = new String(Base64.getDecoder().decode(given), StandardCharsets.UTF_8).replace('\0', '|');
                        // Some servers repeat what they were sent.
                        say(refusingLogins ? "535 5.7.8 authentication failed: %s is %s".formatted(given, user) : "235 welcome");
                    }
                    case "RCPT" -> {
                        recipient = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
                        if (!answered(Step.RECIPIENT)) {
                            return;
                        }
                    }
                    case "DATA" -> {
                        say("354 go ahead");
                        String message = message();
                        taken.add(new Taken(recipient, message, socket instanceof SSLSocket, user));
                        if (!answered(Step.MESSAGE)) {
                            return;
                        }
                    }
                    case "QUIT" -> {
                        say("221 bye");
                        return;
                    }
                    default -> say("250 OK");
                }
            }
        }

        private void greet() throws IOException {
            say("250-scripted");
            if (tls != null && !(socket instanceof SSLSocket)) {
                say("250-STARTTLS");
            }
            if (login) {
                say("250-AUTH PLAIN");
            }
            say("250 8BITMIME");
        }

        /** False when the connection is to end. */
        private boolean answered(Step step) throws IOException {
            int time = times.computeIfAbsent(step + recipient, key -> new AtomicInteger()).incrementAndGet();
            String answer = script.answer(step, recipient, time);
            if (answer == null) {
                // Hangs until the client has enough of it.
                return in.read() >= 0 && false;
            }
            if (answer.isEmpty()) {
                return false;
            }
            say(answer);
            return true;
        }

        /** What is cut off before its dot is no message (RFC 5321, section 4.1.1.4). */
        private String message() throws IOException {
            StringBuilder message = new StringBuilder();
            for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
                if (line == null) {
                    throw new EOFException("cut off in the middle of a message");
                }
                message.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
            }
            return message.toString();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket one : open) {
            one.close();
        }
    }
}
