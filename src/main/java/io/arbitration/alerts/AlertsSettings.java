package io.arbitration.alerts;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;
import java.util.Optional;

/**
 * What alerts say.
 *
 * @param caseUrl where a case is shown, with {@code {caseID}} in it; empty: in the console
 * @param history how long it is kept who was alerted of what
 */
public record AlertsSettings(Optional<String> caseUrl, Duration history) {

    public static AlertsSettings read(Configuration c) {
        return new AlertsSettings(c.optional("alerts.caseUrl", "http:// or https:// and {caseID} behind the host",
                Configuration.matching("https?://[^\\s{}]+\\{caseID}[^\\s{}]*")), Duration.ofDays(c.whole("alerts.historyDays", 7, 3650)));
    }
}
