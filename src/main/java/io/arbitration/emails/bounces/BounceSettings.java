package io.arbitration.emails.bounces;

import io.arbitration.platform.config.Configuration;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings for reports of failed deliveries.
 *
 * @param maildir the folder to which the mail server of the return path delivers
 * @param imap mailbox of the return path on a mail server
 * @param poll the interval between two checks
 */
public record BounceSettings(Optional<Path> maildir, Optional<ImapUrl> imap, Duration poll) {

    public static BounceSettings read(Configuration c, Path home) {
        return new BounceSettings(c.optional("emails.bounces.maildir").map(home::resolve), c.optionalSecret("emails.bounces.imapUrl").map(ImapUrl::parse),
                Duration.ofSeconds(c.whole("emails.bounces.pollSeconds", 1, 3600)));
    }

    public List<BounceMailbox> mailboxes(Vertx vertx) {
        return Stream.concat(maildir.<BounceMailbox>map(folder -> new Maildir(vertx, folder)).stream(),
                imap.<BounceMailbox>map(url -> new ImapMailbox(vertx, url)).stream()).toList();
    }
}
