package io.arbitration.platform.outbound;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A URL that a user gave, in its parts. It is parsed only here, so that exactly the URL that was checked is called.
 *
 * @param secure whether the scheme is https
 * @param host name in lower case, or an IP address without brackets
 * @param address the IP address when the host is one; empty for a name
 * @param pathAndQuery for the request line; at least {@code /}
 */
public record TargetUrl(boolean secure, String host, Optional<InetAddress> address, int port, String pathAndQuery) {

    public static final int LENGTH_MAX = 2000;
    private static final int HOST_LENGTH_MAX = 253;
    private static final String LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?";
    /** Ports of other protocols, whose servers might obey the bytes of an HTTP request (WHATWG Fetch, "bad port"). */
    private static final Set<Integer> OTHER_PROTOCOLS = Set.of(
            1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
            111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
            540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
            6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080);

    /**
     * Parses a URL. The addresses of its host are not checked here but at each call ({@link GuardedClient}).
     *
     * @throws UnsafeUrl with a sentence that says what is wrong
     */
    public static TargetUrl parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new UnsafeUrl("at most %d characters".formatted(LENGTH_MAX));
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new UnsafeUrl("must be plain ASCII: write an internationalised host name in its xn-- form and percent-encode the rest");
        }
        URI uri = uri(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new UnsafeUrl("must be an absolute https address");
        }
        String authority = uri.getRawAuthority();
        if (uri.isOpaque() || authority == null) {
            throw new UnsafeUrl("must be an absolute https address with a host");
        }
        if (authority.indexOf('@') >= 0) {
            throw new UnsafeUrl("must not carry a user name or password");
        }
        if (uri.getRawFragment() != null) {
            throw new UnsafeUrl("must not have a fragment (#)");
        }
        return taken(scheme.equals("https"), authority, uri);
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException broken) {
            throw new UnsafeUrl("must be a valid URL: %s at character %d".formatted(broken.getReason().toLowerCase(Locale.ROOT), broken.getIndex() + 1));
        }
    }

    private static TargetUrl taken(boolean secure, String authority, URI uri) {
        int afterHost = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.lastIndexOf(':');
        int hostEnd = afterHost < 0 ? authority.length() : afterHost;
        String host = authority.substring(0, hostEnd).toLowerCase(Locale.ROOT);
        int port = port(authority.substring(hostEnd), secure ? 443 : 80);
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String pathAndQuery = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        if (host.startsWith("[")) {
            String inside = host.substring(1, host.length() - 1);
            return new TargetUrl(secure, inside, Optional.of(v6(inside)), port, pathAndQuery);
        }
        return new TargetUrl(secure, host, nameOrV4(host), port, pathAndQuery);
    }

    private static int port(String afterHost, int usual) {
        if (afterHost.isEmpty()) {
            return usual;
        }
        String digits = afterHost.substring(1);
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > 65535) {
            throw new UnsafeUrl("the port must be from 1 to 65535");
        }
        if (OTHER_PROTOCOLS.contains(port)) {
            throw new UnsafeUrl("port %d belongs to another protocol than HTTP".formatted(port));
        }
        return port;
    }

    private static InetAddress v6(String inside) {
        InetAddress address = IpLiteral.parse(inside).orElseThrow(() -> new UnsafeUrl("the address in brackets must be a plain IPv6 address"));
        if (address.getAddress().length == 4) {
            throw new UnsafeUrl("must not name an IPv4 address in IPv6 form");
        }
        return address;
    }

    /** The address when the host is an IPv4 address, empty for a name. Numbers in another form are refused, because programs read them differently. */
    private static Optional<InetAddress> nameOrV4(String host) {
        Optional<InetAddress> address = IpLiteral.parse(host);
        if (address.isPresent()) {
            return address;
        }
        if (host.isEmpty()) {
            throw new UnsafeUrl("must be an absolute https address with a host");
        }
        if (host.endsWith(".")) {
            throw new UnsafeUrl("the host must not end in a dot");
        }
        String last = host.substring(host.lastIndexOf('.') + 1);
        if (last.matches("[0-9]+|0x[0-9a-f]*")) {
            throw new UnsafeUrl("a host of numbers must be four decimal numbers without leading zeros, as in 192.0.2.1");
        }
        boolean name = host.length() <= HOST_LENGTH_MAX && host.matches(LABEL + "(\\." + LABEL + ")*");
        if (!name) {
            throw new UnsafeUrl("the host is not a valid name");
        }
        return Optional.empty();
    }
}
