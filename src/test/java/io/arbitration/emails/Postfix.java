package io.arbitration.emails;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.platform.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Postfix that takes mails by STARTTLS alone, asks strangers to come back (Postgrey), keeps what is for {@link #HERE} in a mailbox, and passes
 * what is for {@link #ELSEWHERE} to another server, which knows nobody there: then it reports to the sender of the envelope.
 */
final class Postfix implements AutoCloseable {

    static final String HERE = "here.example";
    static final String ELSEWHERE = "elsewhere.example";
    private static final String OWNER = "nobody";

    private final Path home;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    private Postfix(Path home, int port) {
        this.home = home;
        this.port = port;
    }

    /**
     * Empty, with the reason printed, where it is not to be had; it needs root, to give each of its parts as little as that part needs.
     *
     * @param home is made readable for others
     */
    static Optional<Postfix> start(Path home, Path certificate, Path key) throws Exception {
        List<Optional<ProcessBuilder>> programs = List.of(OtherRuntimes.program("postconf"), OtherRuntimes.program("smtp-sink"), OtherRuntimes.program("postgrey"));
        boolean asRoot = System.getProperty("user.name").equals("root");
        if (!asRoot || programs.stream().anyMatch(Optional::isEmpty)) {
            System.out.println("skipped: Postfix needs to be started by root");
            return Optional.empty();
        }
        Postfix postfix = new Postfix(home, FreePort.any());
        try {
            postfix.start(programs.stream().map(Optional::orElseThrow).toList(), certificate, key);
            return Optional.of(postfix);
        } catch (Exception | AssertionError failed) {
            postfix.close();
            throw failed;
        }
    }

    private void start(List<ProcessBuilder> programs, Path certificate, Path key) throws Exception {
        for (Path folder = home; folder != null && !folder.equals(Path.of(System.getProperty("java.io.tmpdir"))); folder = folder.getParent()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        for (String queue : List.of("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace", "public", "maildrop")) {
            owned("queue/" + queue);
        }
        Stream.of("data", "mail", "mail/bounces", "mail/bounces/new", "mail/bounces/cur", "mail/bounces/tmp", "grey").forEach(this::owned);
        Files.createDirectories(home.resolve("queue/pid"));
        ProcessBuilder postconf = programs.getFirst();
        Path root = Path.of(postconf.command().getFirst()).toAbsolutePath().getParent().getParent().getParent();
        int sink = FreePort.any();
        int grey = FreePort.any();
        configure(root, postconf.environment().get("LD_LIBRARY_PATH"), sink, grey, certificate, key);

        run(programs.get(1), "-u", OWNER, "-f", "rcpt", "127.0.0.1:" + sink, "10");
        ProcessBuilder postgrey = programs.get(2);
        String script = postgrey.command().getFirst();
        postgrey.command(Stream.concat(Stream.concat(Stream.of("perl", "-T"), modules(root)), Stream.of(script)).toList());
        run(postgrey, "--inet=127.0.0.1:" + grey, "--delay=1", "--dbdir=" + home.resolve("grey"), "--user=" + OWNER, "--group=nogroup",
                "--whitelist-clients=/dev/null", "--whitelist-recipients=/dev/null");
        postconf.command(root.resolve("usr/lib/postfix/sbin/master").toString());
        run(postconf, "-c", home.resolve("conf").toString(), "-d");
        for (int each : List.of(sink, grey, port)) {
            Await.despiteFailures("port %d, see %s".formatted(each, home), Await.BOUND, () -> {
                try (Socket connected = new Socket("127.0.0.1", each)) {
                    return connected.isConnected();
                }
            });
        }
    }

    private static Stream<String> modules(Path root) throws IOException {
        if (root.equals(root.getRoot())) {
            return Stream.of();
        }
        try (Stream<Path> libraries = Files.walk(root.resolve("usr/lib"), 3)) {
            return Stream.concat(Stream.of("-I" + root.resolve("usr/share/perl5")),
                    libraries.filter(folder -> folder.toString().matches(".*/perl5/[0-9.]+")).map(folder -> "-I" + folder).toList().stream());
        }
    }

    private void owned(String name) {
        try {
            Path folder = Files.createDirectories(home.resolve(name));
            UserPrincipalLookupService users = folder.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(folder, users.lookupPrincipalByName(OWNER));
            if (name.endsWith("public") || name.endsWith("maildrop")) {
                Files.getFileAttributeView(folder, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS).setGroup(users.lookupPrincipalByGroupName("mail"));
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx-wx---"));
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void configure(Path root, String libraries, int sink, int grey, Path certificate, Path key) throws IOException {
        Path configuration = Files.createDirectories(home.resolve("conf"));
        Files.writeString(configuration.resolve("main.cf"), """
                compatibility_level = 3.6
                queue_directory = {home}/queue
                data_directory = {home}/data
                daemon_directory = {root}/usr/lib/postfix/sbin
                command_directory = {root}/usr/sbin
                shlib_directory = {root}/usr/lib/postfix
                meta_directory = {home}/conf
                mail_owner = nobody
                setgid_group = mail
                default_privs = games
                import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C LD_LIBRARY_PATH={libraries}
                export_environment = TZ MAIL_CONFIG LANG LD_LIBRARY_PATH={libraries}
                maillog_file = {home}/mail.log
                maillog_file_prefixes = {home}
                inet_interfaces = 127.0.0.1
                inet_protocols = ipv4
                myhostname = mx.example.org
                mynetworks = 192.0.2.0/24
                mydestination =
                local_recipient_maps =
                alias_maps =
                alias_database =
                virtual_mailbox_domains = mail.example.org here.example
                virtual_mailbox_base = {home}/mail
                virtual_mailbox_maps = regexp:{home}/conf/mailboxes
                virtual_uid_maps = static:65534
                virtual_gid_maps = static:65534
                relay_domains = elsewhere.example
                transport_maps = regexp:{home}/conf/transports
                smtpd_tls_security_level = encrypt
                smtpd_tls_chain_files = {key}, {certificate}
                smtpd_tls_received_header = yes
                smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service inet:127.0.0.1:{grey}
                """.replace("{home}", home.toString()).replace("{root}", root.equals(root.getRoot()) ? "" : root.toString()).replace("{libraries}", libraries)
                .replace("{key}", key.toString()).replace("{certificate}", certificate.toString()).replace("{grey}", String.valueOf(grey)));
        Files.writeString(configuration.resolve("mailboxes"), "/^bounces\\+.*@mail.example.org/ bounces/\n/@here.example/ here/\n");
        Files.writeString(configuration.resolve("transports"), "/@elsewhere.example/ smtp:[127.0.0.1]:%d%n".formatted(sink));
        Files.writeString(configuration.resolve("master.cf"), """
                127.0.0.1:%d inet n - n - - smtpd
                pickup unix n - n 60 1 pickup
                cleanup unix n - n - 0 cleanup
                qmgr unix n - n 300 1 qmgr
                tlsmgr unix - - n 1000? 1 tlsmgr
                rewrite unix - - n - - trivial-rewrite
                bounce unix - - n - 0 bounce
                defer unix - - n - 0 bounce
                trace unix - - n - 0 bounce
                verify unix - - n - 1 verify
                proxymap unix - - n - - proxymap
                smtp unix - - n - - smtp
                relay unix - - n - - smtp
                error unix - - n - - error
                retry unix - - n - - error
                virtual unix - n n - - virtual
                anvil unix - - n - 1 anvil
                scache unix - - n - 1 scache
                postlog unix-dgram n - n - 1 postlogd
                """.formatted(port));
    }

    private void run(ProcessBuilder program, String... arguments) throws IOException {
        program.command(Stream.concat(program.command().stream(), Stream.of(arguments)).toList());
        File log = home.resolve("log").toFile();
        processes.add(program.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log)).start());
    }

    int port() {
        return port;
    }

    /** Where reports to {@code bounces+…@mail.example.org} are delivered: a maildir. */
    Path bounces() {
        return home.resolve("mail/bounces");
    }

    /** The mails in the mailbox of {@link #HERE}. */
    List<String> mailbox() throws IOException {
        Path maildir = home.resolve("mail/here/new");
        if (!Files.isDirectory(maildir)) {
            return List.of();
        }
        List<String> mails = new ArrayList<>();
        try (Stream<Path> files = Files.list(maildir)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                mails.add(Files.readString(file));
            }
        }
        return mails;
    }

    @Override
    public void close() {
        // The master tells its parts to end before it does.
        processes.reversed().forEach(process -> {
            process.destroy();
            process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        });
    }
}
