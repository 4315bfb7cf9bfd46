package io.arbitration.platform.outbound;

import io.arbitration.platform.config.Configuration;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings for calls to URLs that users gave.
 *
 * @param allowedPrivate blocks that may be called although they are not public
 * @param nameServers that resolve the names of hosts; empty: those of the machine
 */
public record OutboundSettings(List<Cidr> allowedPrivate, List<InetSocketAddress> nameServers) {

    private static final int DNS_PORT = 53;
    private static final Pattern NAME_SERVER = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)\\]|([0-9.]+))(?::([0-9]{1,5}))?");

    public static OutboundSettings read(Configuration c) {
        return new OutboundSettings(c.list("outbound.allowedPrivate", Cidr.BOUND, Cidr::read), c.list("outbound.nameServers",
                "an address with or without a port, e.g. 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53", text -> nameServer(text.strip())));
    }

    private static Optional<InetSocketAddress> nameServer(String text) {
        Matcher matcher = NAME_SERVER.matcher(text);
        int port = matcher.matches() && matcher.group(3) != null ? Integer.parseInt(matcher.group(3)) : DNS_PORT;
        if (!matcher.matches() || port < 1 || port > 65_535) {
            return Optional.empty();
        }
        return Cidr.read(matcher.group(1) == null ? matcher.group(2) : matcher.group(1)).map(address -> new InetSocketAddress(address.network(), port));
    }
}
