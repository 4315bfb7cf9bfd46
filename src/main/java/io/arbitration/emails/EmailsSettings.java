package io.arbitration.emails;

import io.arbitration.emails.bounces.BounceSettings;
import io.arbitration.emails.bounces.ReturnPath;
import io.arbitration.emails.smtp.SmtpSettings;
import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of emails: sending, templates, and reports of failed deliveries.
 *
 * @param returnPath empty: reports of failed deliveries go to the sender, and nobody reads them here
 */
public record EmailsSettings(SmtpSettings smtp, Path templatesFolder, Optional<ReturnPath> returnPath, BounceSettings bounces) {

    /** @param publicUrl of the platform, whose host is in the default sender */
    public static EmailsSettings read(Configuration c, Path home, Optional<String> publicUrl) {
        return new EmailsSettings(SmtpSettings.read(c, home, publicUrl),
                c.optional("emails.templatesFolder").map(home::resolve).orElse(home.resolve("conf/templates/email")),
                ReturnPath.read(c), BounceSettings.read(c, home));
    }
}
