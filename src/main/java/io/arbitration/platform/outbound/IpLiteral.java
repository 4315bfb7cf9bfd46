package io.arbitration.platform.outbound;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Reads IP addresses in their plain forms only: four decimal numbers, or IPv6 (RFC 4291) without a zone. Never resolves a name. */
final class IpLiteral {

    private static final String PLAIN_V4 = "(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}";

    private IpLiteral() {}

    static Optional<InetAddress> parse(String text) {
        boolean plain = text.indexOf(':') >= 0 ? text.indexOf('%') < 0 && NetUtil.isValidIpV6Address(text)
                : text.matches(PLAIN_V4) && NetUtil.isValidIpV4Address(text);
        if (!plain) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text)));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
