package io.arbitration.platform.server;

import io.arbitration.platform.config.Configuration;

/**
 * Where health and metrics are read.
 *
 * @param diskFreeBytesMin with less room for its files, a node says so in its health
 */
public record ManagementSettings(String host, int port, long diskFreeBytesMin) {

    public static ManagementSettings read(Configuration c) {
        return new ManagementSettings(c.required("management.host"), c.whole("management.port", 0, 65535),
                c.whole("management.diskFreeBytesMin", 0L, 1L << 50));
    }
}
