package io.arbitration.platform.outbound;

import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Says which IP addresses may be called for a URL that a user gave: those of the public internet, and those that the operator exempts. The
 * node's own management port, which answers everybody, is none of them.
 * Source: IANA's registries of special-purpose addresses (RFC 6890) as of 2025.
 */
public final class AddressRules {

    private record Block(Cidr cidr, String what) {
        static Block of(String cidr, String what) {
            return new Block(Cidr.parse(cidr), what);
        }
    }

    private static final List<Block> REFUSED_V4 = List.of(
            Block.of("0.0.0.0/8", "an unspecified address"),
            Block.of("10.0.0.0/8", "a private address"),
            Block.of("100.64.0.0/10", "a carrier-grade NAT address"),
            Block.of("127.0.0.0/8", "a loopback address"),
            // The metadata services of clouds. Azure's, 168.63.129.16, looks like a public address.
            Block.of("169.254.0.0/16", "a link-local address"),
            Block.of("168.63.129.16/32", "a metadata address"),
            Block.of("172.16.0.0/12", "a private address"),
            Block.of("192.0.0.0/24", "a protocol address"),
            Block.of("192.0.2.0/24", "a documentation address"),
            Block.of("192.88.99.0/24", "a 6to4 relay address"),
            Block.of("192.168.0.0/16", "a private address"),
            Block.of("198.18.0.0/15", "a benchmarking address"),
            Block.of("198.51.100.0/24", "a documentation address"),
            Block.of("203.0.113.0/24", "a documentation address"),
            Block.of("224.0.0.0/4", "a multicast address"),
            Block.of("255.255.255.255/32", "a broadcast address"),
            Block.of("240.0.0.0/4", "a reserved address"));

    /** Blocks that the message names. Every other address outside of {@link #PUBLIC_V6} is refused as well. */
    private static final List<Block> REFUSED_V6 = List.of(
            Block.of("::/128", "an unspecified address"),
            Block.of("::1/128", "a loopback address"),
            Block.of("::/96", "an IPv4-compatible address"),
            Block.of("64:ff9b::/96", "a NAT64 address"),
            Block.of("64:ff9b:1::/48", "a NAT64 address"),
            Block.of("2001::/32", "a Teredo address"),
            Block.of("2001:db8::/32", "a documentation address"),
            Block.of("2001::/23", "a protocol address"),
            Block.of("2002::/16", "a 6to4 address"),
            Block.of("3fff::/20", "a documentation address"),
            Block.of("fc00::/7", "a private address"),
            Block.of("fe80::/10", "a link-local address"),
            Block.of("fec0::/10", "a site-local address"),
            Block.of("ff00::/8", "a multicast address"));

    private static final Cidr PUBLIC_V6 = Cidr.parse("2000::/3");

    private final List<Cidr> exempt;
    private final IntSupplier managementPort;
    private final Set<InetAddress> machine;

    /**
     * @param exempt blocks that may be called although they are not public
     * @param managementPort of this node, which is never called at an address of this machine; 0 while there is none
     */
    public AddressRules(List<Cidr> exempt, IntSupplier managementPort) {
        this.exempt = List.copyOf(exempt);
        this.managementPort = managementPort;
        this.machine = interfaces();
    }

    private static Set<InetAddress> interfaces() {
        try {
            return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).collect(Collectors.toUnmodifiableSet());
        } catch (SocketException unknown) {
            throw new UncheckedIOException("the addresses of this machine cannot be read", unknown);
        }
    }

    /** Whether the operator exempted the address. Exempt addresses may also be called without TLS. */
    public boolean isExempt(InetAddress address) {
        return exempt.stream().anyMatch(block -> block.contains(address));
    }

    /** Whether this node's management port listens there. */
    boolean isManagementPort(InetAddress address, int port) {
        return port == managementPort.getAsInt() && (address.isLoopbackAddress() || address.isAnyLocalAddress() || machine.contains(address));
    }

    /** Why the port at the address may not be called, e.g. {@code a loopback address}; empty when it may be called. */
    public Optional<String> refusal(InetAddress address, int port) {
        if (isManagementPort(address, port)) {
            return Optional.of("the management port of the platform");
        }
        if (isExempt(address)) {
            return Optional.empty();
        }
        // The JDK turns an IPv4-mapped IPv6 address into an Inet4Address, so it is checked as IPv4.
        boolean v4 = address instanceof Inet4Address;
        Optional<String> named = (v4 ? REFUSED_V4 : REFUSED_V6).stream()
                .filter(block -> block.cidr().contains(address))
                .map(Block::what)
                .findFirst();
        return named.isPresent() || v4 || PUBLIC_V6.contains(address) ? named : Optional.of("not a public address");
    }
}
