package io.arbitration.webhooks;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * The settings of webhooks and their deliveries.
 *
 * @param created the date in the welcome message of the service
 * @param inFlight the most deliveries that this node attempts at once
 * @param inFlightPerUrl the most deliveries to one URL that all nodes together attempt at once
 * @param exchange the longest duration of an attempt, from resolving the name to the last byte of the answer
 * @param history how long deliveries that have ended are kept
 */
public record WebhooksSettings(LocalDate created, String author, int urlsMax, int inFlight, int inFlightPerUrl, Duration exchange, Duration history) {

    private static final String DATE_BOUND = "a date, e.g. 2026-11-21";

    public static WebhooksSettings read(Configuration c) {
        return new WebhooksSettings(
                date(c, "webhooks.service.created"), c.required("webhooks.service.author"), c.whole("webhooks.urlsMax", 1, 1000),
                c.whole("webhooks.inFlight", 64, 4096), c.whole("webhooks.inFlightPerUrl", 1, 256),
                Duration.ofSeconds(c.whole("webhooks.exchangeSeconds", 1, 60)),
                Duration.ofDays(c.whole("webhooks.historyDays", 7, 3650)));
    }

    private static LocalDate date(Configuration c, String key) {
        return c.optional(key, DATE_BOUND, WebhooksSettings::date).orElseThrow(() -> ConfigurationError.outOfBounds(key, "", DATE_BOUND));
    }

    private static Optional<LocalDate> date(String text) {
        try {
            return Optional.of(LocalDate.parse(text));
        } catch (DateTimeParseException notADate) {
            return Optional.empty();
        }
    }
}
