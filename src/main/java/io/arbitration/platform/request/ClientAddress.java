package io.arbitration.platform.request;

import io.arbitration.platform.outbound.Cidr;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The client address of a request: the address of its connection or, if that is a trusted proxy, the address in {@code
 * X-Forwarded-For}. The header is read from the right, because everything left of the first untrusted address may be forged.
 */
public final class ClientAddress implements Handler<RoutingContext> {

    private static final String KEY = "clientAddress";
    private static final String HEADER = "X-Forwarded-For";
    private static final int HOPS_MAX = 32;

    private final List<Cidr> trusted;

    /** @param trusted the proxies; none: the header is ignored */
    public ClientAddress(List<Cidr> trusted) {
        this.trusted = trusted;
    }

    @Override
    public void handle(RoutingContext context) {
        if (!trusted.isEmpty()) {
            context.put(KEY, behindProxies(context.request()));
        }
        context.next();
    }

    /** The address as text, without a port, for a request that reaches no router; empty for a connection without an address. */
    public String of(HttpServerRequest request) {
        return trusted.isEmpty() ? peer(request) : behindProxies(request);
    }

    /** The address as text, without a port; empty for a connection without an address. */
    public static String of(RoutingContext context) {
        String behindProxies = context.get(KEY);
        return behindProxies == null ? peer(context.request()) : behindProxies;
    }

    private static String peer(HttpServerRequest request) {
        String peer = request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
        return peer == null ? "" : peer;
    }

    private String behindProxies(HttpServerRequest request) {
        String address = peer(request);
        List<String> hops = request.headers().getAll(HEADER).stream().flatMap(line -> Stream.of(line.split(","))).toList();
        for (int hop = hops.size() - 1; hop >= Math.max(0, hops.size() - HOPS_MAX) && isTrusted(address); hop--) {
            Optional<String> before = withoutPort(hops.get(hop).strip()).map(InetAddress::getHostAddress);
            if (before.isEmpty()) {
                return address;
            }
            address = before.get();
        }
        return address;
    }

    private boolean isTrusted(String address) {
        return literal(address.split("%", 2)[0]).filter(ip -> trusted.stream().anyMatch(block -> block.contains(ip))).isPresent();
    }

    /** Some proxies add the port: {@code 192.0.2.1:4711}, {@code [2001:db8::1]:4711}. */
    private static Optional<InetAddress> withoutPort(String hop) {
        if (hop.startsWith("[")) {
            int end = hop.indexOf(']');
            return end < 0 ? Optional.empty() : literal(hop.substring(1, end));
        }
        int colon = hop.indexOf(':');
        return literal(colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop);
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }
}
