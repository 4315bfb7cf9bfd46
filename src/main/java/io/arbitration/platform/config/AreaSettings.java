package io.arbitration.platform.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which areas this node serves, and where.
 *
 * @param addresses of the areas that have one of their own, by the area's name
 * @param enabled names of the areas that are served; empty: all
 */
public record AreaSettings(Map<String, AreaAddress> addresses, Set<String> enabled) {

    public boolean serves(String area) {
        return enabled.isEmpty() || enabled.contains(area);
    }

    /** The address of an area for people and programs: below the address of the platform, unless the area has one of its own. */
    public String url(String area, String publicUrl) {
        URI reached = URI.create(publicUrl);
        return switch (addresses.get(area)) {
            case null -> publicUrl + "/" + area;
            case AreaAddress.HostName(String host) -> "%s://%s%s".formatted(reached.getScheme(), host, reached.getPort() < 0 ? "" : ":" + reached.getPort());
            case AreaAddress.Port(int port) -> "%s://%s:%d".formatted(reached.getScheme(), reached.getHost(), port);
        };
    }

    public static AreaSettings read(Configuration c) {
        Map<String, AreaAddress> addresses = new TreeMap<>();
        c.map("areas.addresses").forEach((area, value) -> addresses.put(area, address("areas.addresses." + area, value)));
        Map<AreaAddress, String> given = new HashMap<>();
        addresses.forEach((area, address) -> {
            String other = given.putIfAbsent(address, area);
            // Two servers on one port share its connections whatever the path, so requests would reach the wrong area.
            if (other != null && !address.equals(new AreaAddress.Port(0))) {
                throw ConfigurationError.outOfBounds("areas.addresses." + area, address, "another than that of " + other);
            }
        });
        for (String key : List.of("http.port", "management.port")) {
            int port = c.whole(key, 0, 65535);
            String area = given.get(new AreaAddress.Port(port));
            if (area != null && port != 0) {
                throw ConfigurationError.outOfBounds("areas.addresses." + area + ".port", port, "another than " + key);
            }
        }
        return new AreaSettings(Map.copyOf(addresses), Set.copyOf(c.list("areas.enabled")));
    }

    private static AreaAddress address(String key, ObjectNode value) {
        Configuration.onlyKeys(key, value, "host", "port");
        if (value.size() != 1) {
            throw ConfigurationError.outOfBounds(key, value, "a host or a port, and only one of them");
        }
        if (value.has("host")) {
            String host = value.get("host").asText().toLowerCase(Locale.ROOT);
            if (!host.matches("[a-z0-9.-]{1,253}")) {
                throw ConfigurationError.outOfBounds(key + ".host", host, "a host name, without a port");
            }
            return new AreaAddress.HostName(host);
        }
        JsonNode port = value.get("port");
        if (!port.isInt() || port.intValue() < 0 || port.intValue() > 65535) {
            throw ConfigurationError.outOfBounds(key + ".port", port, "a whole number from 0 to 65535");
        }
        return new AreaAddress.Port(port.intValue());
    }
}
