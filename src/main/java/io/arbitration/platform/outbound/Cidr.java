package io.arbitration.platform.outbound;

import java.net.InetAddress;
import java.util.Optional;

/** A block of IP addresses, {@code 10.0.0.0/8} or {@code fc00::/7}. */
public record Cidr(InetAddress network, int bits) {

    /** What a setting with a list of blocks must contain, for the error message. */
    public static final String BOUND = "addresses or blocks of them, e.g. 10.1.0.0/16";

    /** Reads a block from a setting; empty when the text is no block. */
    public static Optional<Cidr> read(String text) {
        try {
            return Optional.of(parse(text.strip()));
        } catch (IllegalArgumentException notABlock) {
            return Optional.empty();
        }
    }

    /**
     * Reads a block. An address without a slash is a block of one address. Never resolves a name.
     *
     * @throws IllegalArgumentException when the text is no block
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        InetAddress network = IpLiteral.parse(slash < 0 ? text : text.substring(0, slash))
                .orElseThrow(() -> new IllegalArgumentException(text + " is no block of addresses"));
        int width = network.getAddress().length * 8;
        String length = slash < 0 ? String.valueOf(width) : text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > width) {
            throw new IllegalArgumentException(text + " is no block of addresses");
        }
        return new Cidr(network, Integer.parseInt(length));
    }

    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = bits / 8;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int mask = 0xff << (8 - bits % 8) & 0xff;
        return bits % 8 == 0 || (mine[whole] & mask) == (other[whole] & mask);
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + bits;
    }
}
