package io.arbitration.platform.request;

import java.net.InetAddress;
import java.util.HexFormat;

/** What one customer of an access provider holds: an IPv4 address, or the IPv6 network of 64 bits that an address lies in. */
public final class ClientNetwork {

    private ClientNetwork() {}

    /**
     * The network of an address: its first 64 bits in hexadecimal for IPv6, where a customer has more addresses than anything
     * could be counted for; else the address.
     */
    public static String of(String address) {
        try {
            byte[] bytes = InetAddress.ofLiteral(address.split("%", 2)[0]).getAddress();
            return bytes.length == 16 ? HexFormat.of().formatHex(bytes, 0, 8) : address;
        } catch (IllegalArgumentException notAnAddress) {
            return address;
        }
    }
}
