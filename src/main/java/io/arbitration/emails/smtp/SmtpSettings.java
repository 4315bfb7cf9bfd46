package io.arbitration.emails.smtp;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.SmtpUrl;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings for sending emails.
 *
 * @param url empty: emails are held
 * @param trustedCertificatesFile authorities for the server's certificate; empty: Java's own
 * @param inFlight emails that this node sends at once
 * @param exchange time limit for one email, from the connection to the last answer
 */
public record SmtpSettings(
        Optional<SmtpUrl> url, Mailbox from, StartTls startTls, Optional<Path> trustedCertificatesFile, int inFlight, Duration exchange,
        Optional<Dkim> dkim) {

    /** Whether an unencrypted connection has to be upgraded to TLS. */
    public enum StartTls { AUTO, REQUIRED, NEVER }

    /** The domain that signs emails, and the PKCS#8 file of the RSA key whose public part is in the DNS. */
    public record Dkim(String domain, String selector, Path keyFile) {}

    public static SmtpSettings read(Configuration c, Path home, Optional<String> publicUrl) {
        return new SmtpSettings(
                c.optionalSecret("smtp.url").map(SmtpUrl::parse), sender(c, publicUrl),
                StartTls.valueOf(c.oneOf("smtp.startTls", "auto", "required", "never").toUpperCase(Locale.ROOT)),
                c.optional("smtp.trustedCertificatesFile").map(home::resolve), c.whole("smtp.inFlight", 1, 100),
                Duration.ofSeconds(c.whole("smtp.exchangeSeconds", 1, 600)), dkim(c, home));
    }

    /** The sender; on a machine without a public name, a default for trials. */
    private static Mailbox sender(Configuration c, Optional<String> publicUrl) {
        String host = publicUrl.map(url -> URI.create(url).getHost()).orElse("localhost");
        String from = c.optional("smtp.from").orElse("Arbitration Case Platform <no-reply@%s>".formatted(host));
        try {
            return Mailbox.parse(from);
        } catch (IllegalArgumentException broken) {
            throw ConfigurationError.outOfBounds("smtp.from", from, broken.getMessage());
        }
    }

    private static Optional<Dkim> dkim(Configuration c, Path home) {
        Optional<String> domain = c.optional("smtp.dkim.domain");
        Optional<String> selector = c.optional("smtp.dkim.selector");
        Optional<String> keyFile = c.optional("smtp.dkim.keyFile");
        long given = Stream.of(domain, selector, keyFile).filter(Optional::isPresent).count();
        if (given != 0 && given != 3) {
            throw new ConfigurationError("smtp.dkim: domain, selector and keyFile go together");
        }
        for (Optional<String> name : List.of(domain, selector)) {
            name.filter(text -> !text.matches("[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")).ifPresent(text -> {
                throw ConfigurationError.outOfBounds("smtp.dkim", text, "domain and selector are names in the DNS");
            });
        }
        return domain.map(name -> new Dkim(name, selector.get(), home.resolve(keyFile.get())));
    }
}
