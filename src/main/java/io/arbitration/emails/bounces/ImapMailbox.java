package io.arbitration.emails.bounces;

import io.arbitration.platform.telemetry.PasswordMask;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import jakarta.mail.FetchProfile;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.UIDFolder;
import jakarta.mail.search.FlagTerm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/** A mailbox on a mail server (IMAP), read over a new connection at each check. Messages marked as seen are not read again. */
final class ImapMailbox implements BounceMailbox {

    private static final String TIMEOUT_MILLIS = "20000";

    private final Vertx vertx;
    private final ImapUrl url;

    ImapMailbox(Vertx vertx, ImapUrl url) {
        this.vertx = vertx;
        this.url = url;
    }

    @Override
    public String name() {
        return "imap";
    }

    /** A message by its constant number (UID), and the validity of these numbers. */
    private record Fetched(long uid, byte[] bytes) {}

    private record Look(long validity, List<Fetched> messages) {}

    @Override
    public Future<Integer> processNew(Function<List<byte[]>, Future<List<Verdict>>> reader) {
        return vertx.executeBlocking(this::fetch, false).<Look>recover(this::withoutPassword).compose(look -> look.messages.isEmpty() ? Future.succeededFuture(0)
                : reader.apply(look.messages.stream().map(Fetched::bytes).toList())
                        .compose(verdicts -> vertx.executeBlocking(() -> {
                            applyVerdicts(look, verdicts);
                            return look.messages.size();
                        }, false).recover(this::withoutPassword)));
    }

    /** The failure without the password, which the server may have repeated. */
    private <T> Future<T> withoutPassword(Throwable failure) {
        return Future.failedFuture(new IOException(PasswordMask.of(url.user(), url.password()).mask(failure.getMessage()), failure.getCause()));
    }

    private Look fetch() throws MessagingException, IOException {
        return in(Folder.READ_ONLY, folder -> {
            Message[] unseen = folder.search(new FlagTerm(new Flags(Flags.Flag.SEEN), false));
            Message[] some = Arrays.copyOf(unseen, Math.min(unseen.length, MESSAGES_MAX));
            FetchProfile numbers = new FetchProfile();
            numbers.add(UIDFolder.FetchProfileItem.UID);
            folder.fetch(some, numbers);
            List<Fetched> messages = new ArrayList<>();
            long bytes = 0;
            for (int i = 0; i < some.length && bytes <= LOOK_BYTES_MAX; i++) {
                Message message = some[i];
                Beginning beginning = new Beginning();
                message.writeTo(beginning);
                messages.add(new Fetched(((UIDFolder) folder).getUID(message), beginning.kept.toByteArray()));
                bytes += beginning.kept.size();
            }
            return new Look(((UIDFolder) folder).getUIDValidity(), messages);
        });
    }

    private void applyVerdicts(Look look, List<Verdict> verdicts) throws MessagingException, IOException {
        in(Folder.READ_WRITE, folder -> {
            if (((UIDFolder) folder).getUIDValidity() != look.validity) {
                // The numbers are no longer valid. All messages are read again; a report is recorded only once.
                return null;
            }
            for (int i = 0; i < verdicts.size(); i++) {
                Message message = ((UIDFolder) folder).getMessageByUID(look.messages.get(i).uid);
                if (message != null) {
                    switch (verdicts.get(i)) {
                        case RECORDED -> message.setFlag(Flags.Flag.DELETED, true);
                        case NOT_UNDERSTOOD -> message.setFlag(Flags.Flag.SEEN, true);
                        case LATER -> { }
                    }
                }
            }
            return null;
        });
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(Folder folder) throws MessagingException, IOException;
    }

    private <T> T in(int mode, Work<T> work) throws MessagingException, IOException {
        String protocol = url.tls() ? "imaps" : "imap";
        Properties properties = new Properties();
        for (String timeout : List.of("connectiontimeout", "timeout", "writetimeout")) {
            properties.setProperty("mail.%s.%s".formatted(protocol, timeout), TIMEOUT_MILLIS);
        }
        properties.setProperty("mail.%s.ssl.checkserveridentity".formatted(protocol), "true");
        properties.setProperty("mail.imap.starttls.enable", "true");
        properties.setProperty("mail.imap.starttls.required", String.valueOf(!url.tls() && !url.isThisMachine()));
        // Fetching must not mark messages as seen.
        properties.setProperty("mail.%s.peek".formatted(protocol), "true");
        try (Store store = Session.getInstance(properties).getStore(protocol)) {
            store.connect(url.host(), url.port(), url.user(), url.password());
            Folder folder = store.getFolder(url.folder());
            folder.open(mode);
            try {
                return work.on(folder);
            } finally {
                folder.close(mode == Folder.READ_WRITE);
            }
        }
    }

    /** Keeps the beginning of a message and discards the rest. */
    private static final class Beginning extends OutputStream {

        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public void write(int one) {
            if (kept.size() < BYTES_MAX) {
                kept.write(one);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            kept.write(bytes, from, Math.min(length, BYTES_MAX - kept.size()));
        }
    }
}
