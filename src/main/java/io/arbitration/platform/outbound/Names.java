package io.arbitration.platform.outbound;

import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.List;

/** Finds the addresses of a host name. */
@FunctionalInterface
interface Names {

    /** All addresses, at least one; fails when the name has none or no answer came in time. */
    Future<List<InetAddress>> resolve(String host);
}
