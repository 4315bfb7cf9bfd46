package io.arbitration.platform.outbound;

import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.List;

/** Finds the addresses of a host name. */
@FunctionalInterface
interface Names {

    /** All addresses of the name, at least one. Fails when the name has no address or the name servers do not answer in time. */
    Future<List<InetAddress>> resolve(String host);
}
