package io.arbitration.alerts;

import io.arbitration.platform.config.Configuration;
import java.util.Optional;

/**
 * What alerts say.
 *
 * @param caseUrl where a case is shown, with {@code {caseID}} in it; empty: alerts have no link
 */
public record AlertsSettings(Optional<String> caseUrl) {

    public static AlertsSettings read(Configuration c) {
        return new AlertsSettings(c.optional("alerts.caseUrl", "http:// or https:// and {caseID} behind the host",
                Configuration.matching("https?://[^\\s{}]+\\{caseID}[^\\s{}]*")));
    }
}
