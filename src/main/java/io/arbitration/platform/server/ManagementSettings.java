package io.arbitration.platform.server;

import io.arbitration.platform.config.Configuration;

/**
 * The addresses of health and metrics, and the bound of free disk space.
 *
 * @param diskFreeBytesMin with less free space for its files, a node reports its disk as low
 */
public record ManagementSettings(String host, int port, long diskFreeBytesMin) {

    public static ManagementSettings read(Configuration c) {
        return new ManagementSettings(c.required("management.host"), c.whole("management.port", 0, 65535),
                c.whole("management.diskFreeBytesMin", 0L, 1L << 50));
    }
}
