package io.arbitration.webhooks.urls;

import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.outbound.TargetUrl;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The addresses of the platform itself, which callback URLs may not use.
 *
 * @param machine addresses of this machine's network interfaces
 */
public record OwnAddresses(Set<String> hosts, Set<Integer> ports, Set<InetAddress> machine) {

    static final String REASON = "must not be the platform's own address";

    /** @param publicUrl where users reach the platform; empty if none is configured */
    public static OwnAddresses of(Optional<String> publicUrl, List<Integer> ownPorts, AreaSettings areas) {
        Set<String> hosts = new HashSet<>();
        Set<Integer> ports = new HashSet<>(ownPorts);
        publicUrl.map(url -> URI.create(url).getHost()).ifPresent(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
        areas.addresses().values().forEach(address -> {
            switch (address) {
                case AreaAddress.HostName host -> hosts.add(host.name().toLowerCase(Locale.ROOT));
                case AreaAddress.Port port -> ports.add(port.number());
            }
        });
        ports.remove(0);
        return new OwnAddresses(Set.copyOf(hosts), Set.copyOf(ports), interfaces());
    }

    private static Set<InetAddress> interfaces() {
        try {
            return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).collect(Collectors.toUnmodifiableSet());
        } catch (SocketException unknown) {
            throw new UncheckedIOException("the addresses of this machine cannot be read", unknown);
        }
    }

    /**
     * Whether the URL has a host name of the platform. In a demo that is localhost, where other servers may run, so the port is compared,
     * too.
     */
    boolean names(TargetUrl target) {
        return hosts.contains(target.host()) && (!target.host().equals("localhost") || ports.contains(target.port()));
    }

    /** Whether the platform listens on this address and port. */
    boolean has(InetAddress address, int port) {
        return (address.isLoopbackAddress() || address.isAnyLocalAddress() || machine.contains(address)) && ports.contains(port);
    }
}
