package io.arbitration.push;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of browser subscriptions and notifications.
 *
 * @param allowedEndpoints origins of push services; a host may begin with {@code *.} for all its subdomains
 * @param subject contact for push services, a mailto: or https: address; empty: none is sent
 * @param anonymous whether a browser may subscribe without a token
 * @param anonymousMax browsers that subscribed without a token
 * @param subscriptionsMax subscriptions of one user
 * @param ttl how long a push service keeps a notification for a browser that is not running
 * @param inFlight notifications in flight at once from this node
 * @param inFlightPerService notifications in flight to one push service, from all nodes
 * @param exchange time limit of one attempt, from resolving the name to the last byte
 * @param history how long ended notifications are stored
 */
public record PushSettings(
        List<String> allowedEndpoints, Optional<String> subject, boolean anonymous, int anonymousMax, int subscriptionsMax, Duration ttl, int inFlight,
        int inFlightPerService, Duration exchange, Duration history) {

    public static PushSettings read(Configuration c) {
        Optional<String> subject = c.optional("push.subject", "a mailto: or https: address",
                Configuration.matching("mailto:[^@\\s]+@[^@\\s]+|https://[^/?#@\\s]+(/\\S*)?"));
        return new PushSettings(
                c.list("push.allowedEndpoints", "origins, e.g. https://fcm.googleapis.com or *.push.apple.com", PushSettings::pushService), subject,
                c.yesOrNo("push.anonymous"), c.whole("push.anonymousMax", 1, 1_000_000), c.whole("push.subscriptionsMax", 1, 1000),
                Duration.ofSeconds(c.whole("push.ttlSeconds", 60, 2_419_200)), c.whole("push.inFlight", 64, 4096), c.whole("push.inFlightPerService", 1, 1024),
                Duration.ofSeconds(c.whole("push.exchangeSeconds", 1, 60)), Duration.ofDays(c.whole("push.historyDays", 1, 3650)));
    }

    /** The origin of a push service; a host without a scheme means https. */
    private static Optional<String> pushService(String text) {
        String origin = text.strip().toLowerCase(Locale.ROOT);
        String whole = origin.contains("://") ? origin : "https://" + origin;
        return Optional.of(whole).filter(known -> known.matches("https?://(\\*\\.)?([a-z0-9.-]+|\\[[0-9a-f:]+])(:[0-9]{1,5})?"));
    }
}
