package io.arbitration.emails.smtp;

import io.arbitration.emails.AcceptedEmail;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.SmtpUrl;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.mail.CanonicalizationAlgorithm;
import io.vertx.ext.mail.DKIMSignAlgorithm;
import io.vertx.ext.mail.DKIMSignOptions;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.StartTLSOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The configured mail server; its connections are reused. */
final class MailServer {

    private static final int CONNECT_MILLIS_MAX = 10_000;
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1");
    private static final List<String> SIGNED_HEADERS =
            List.of("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding");

    private final MailClient client;
    private final SmtpSettings settings;

    /** @throws ConfigurationError for a key or certificate that cannot be read */
    MailServer(Vertx vertx, SmtpSettings settings, SmtpUrl url) {
        this.settings = settings;
        MailConfig config = connection(settings, url);
        settings.dkim().ifPresent(dkim -> config.setEnableDKIM(true).addDKIMSignOption(signature(dkim)));
        try {
            this.client = MailClient.create(vertx, config);
        } catch (IllegalStateException | IllegalArgumentException broken) {
            throw new ConfigurationError("smtp.dkim.keyFile: not an RSA private key in PKCS#8 PEM: " + broken.getMessage());
        }
    }

    private static MailConfig connection(SmtpSettings settings, SmtpUrl url) {
        MailConfig config = new MailConfig()
                .setHostname(url.host())
                .setPort(url.port())
                .setSsl(url.tls())
                // One recipient at a time: pipelining would save little, and would hide which command was refused.
                .setPipelining(false)
                .setMaxPoolSize(settings.inFlight())
                .setOwnHostname(settings.from().domain());
        config.setConnectTimeout((int) Math.min(CONNECT_MILLIS_MAX, settings.exchange().toMillis()));
        // A server that is silent for half of the time of an exchange will not finish in the other half.
        config.setIdleTimeout((int) settings.exchange().toMillis() / 2).setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        settings.trustedCertificatesFile().ifPresent(file -> config.setTrustOptions(new PemTrustOptions().addCertPath(readable(file))));
        url.login().ifPresent(login -> config.setLogin(LoginOption.REQUIRED).setUsername(login.user()).setPassword(login.password()));
        return url.tls() ? config : config.setStarttls(startTls(settings.startTls(), url)).setTrustAll(isOpportunistic(settings.startTls(), url));
    }

    private static StartTLSOptions startTls(SmtpSettings.StartTls asked, SmtpUrl url) {
        return switch (asked) {
            case REQUIRED -> StartTLSOptions.REQUIRED;
            case NEVER -> StartTLSOptions.DISABLED;
            case AUTO -> isOpportunistic(asked, url) ? StartTLSOptions.OPTIONAL : StartTLSOptions.REQUIRED;
        };
    }

    /** If sending without encryption is allowed, refusing an unknown certificate would protect against nothing (RFC 7435). */
    private static boolean isOpportunistic(SmtpSettings.StartTls asked, SmtpUrl url) {
        return asked == SmtpSettings.StartTls.AUTO && (url.login().isEmpty() || THIS_MACHINE.contains(url.host()));
    }

    private static DKIMSignOptions signature(SmtpSettings.Dkim dkim) {
        return new DKIMSignOptions()
                .setSignAlgo(DKIMSignAlgorithm.RSA_SHA256)
                .setHeaderCanonAlgo(CanonicalizationAlgorithm.RELAXED)
                .setBodyCanonAlgo(CanonicalizationAlgorithm.RELAXED)
                .setSdid(dkim.domain())
                .setSelector(dkim.selector())
                .setSignedHeaders(SIGNED_HEADERS)
                .setPrivateKey(pem(dkim.keyFile()));
    }

    private static String pem(Path file) {
        try {
            return Files.readString(file).replaceAll("-----[A-Z ]+-----", "").strip();
        } catch (IOException unreadable) {
            throw new ConfigurationError("smtp.dkim.keyFile: %s cannot be read".formatted(file));
        }
    }

    private static String readable(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigurationError("smtp.trustedCertificatesFile: %s cannot be read".formatted(file));
        }
        return file.toString();
    }

    /**
     * Sends the email to one of its recipients; completes when the server has taken responsibility for it.
     *
     * @param attached content of its attachments, in their order
     * @param returnTo the return path, to which reports of failed deliveries are sent
     */
    Future<Void> send(AcceptedEmail email, List<Buffer> attached, String recipient, String returnTo) {
        MimeMessage message = MimeMessage.of(email, attached);
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        message.headers().forEach(headers::add);
        // The headers are fixed and the body is ASCII, because the encoding of the client loses characters beyond the BMP.
        MailMessage envelope = new MailMessage()
                .setFixedHeaders(true)
                .setHeaders(headers)
                .setFrom(email.from().address())
                .setBounceAddress(returnTo)
                .setTo(recipient)
                .setText(message.body());
        return client.sendMail(envelope).<Void>mapEmpty().timeout(settings.exchange().toMillis(), TimeUnit.MILLISECONDS);
    }

    Future<Void> close() {
        return client.close();
    }
}
