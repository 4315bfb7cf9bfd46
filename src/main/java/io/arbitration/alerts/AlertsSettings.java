package io.arbitration.alerts;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;
import java.util.Optional;

/**
 * What alerts say.
 *
 * @param caseUrl where a case is shown, with {@code {caseID}} in it; empty: in the console
 * @param emailsPerPersonAndDay emails to one person in a day of UTC about what one other user did
 * @param history how long it is kept who was alerted of what
 */
public record AlertsSettings(Optional<String> caseUrl, int emailsPerPersonAndDay, Duration history) {

    public static AlertsSettings read(Configuration c) {
        return new AlertsSettings(c.optional("alerts.caseUrl", "http:// or https:// and {caseID} behind the host",
                Configuration.matching("https?://[^\\s{}]+\\{caseID}[^\\s{}]*")), c.whole("alerts.emailsPerPersonAndDay", 1, 100_000), Duration.ofDays(c.whole("alerts.historyDays", 7, 3650)));
    }
}
