package io.arbitration.platform.request;

import java.net.InetAddress;
import java.util.HexFormat;

/** The network of one customer of an access provider: an IPv4 address, or the IPv6 network of 64 bits that contains an address. */
public final class ClientNetwork {

    private ClientNetwork() {}

    /**
     * The network of an address: its first 64 bits in hexadecimal for IPv6, because a customer has too many addresses to count
     * each; else the address.
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
