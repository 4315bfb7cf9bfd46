package io.arbitration.emails;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.util.Optional;

/** Mails: how they leave, and what they are made of. */
public record EmailsSettings(SmtpSettings smtp, Path templatesFolder) {

    /** @param publicUrl of the platform, whose host the usual sender is of */
    public static EmailsSettings read(Configuration c, Path home, Optional<String> publicUrl) {
        return new EmailsSettings(SmtpSettings.read(c, home, publicUrl),
                c.optional("emails.templatesFolder").map(home::resolve).orElse(home.resolve("conf/templates/email")));
    }
}
