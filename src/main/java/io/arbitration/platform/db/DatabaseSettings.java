package io.arbitration.platform.db;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;
import java.util.Optional;

/**
 * The database and the pool of connections to it.
 *
 * @param url empty: the embedded PostgreSQL
 * @param ownerUrl of the role that owns the tables and migrates them; empty: that of {@code url}
 * @param connectWait how long a start waits for a database that is away
 * @param clockSkew by how much the clock of a node may differ from the database's
 */
public record DatabaseSettings(
        Optional<String> url, Optional<String> ownerUrl, Duration connectWait, int poolConnections, int poolWaitersMax, Duration poolWait, int embeddedPort,
        Duration clockSkew) {

    public static DatabaseSettings read(Configuration c) {
        return new DatabaseSettings(c.optionalSecret("database.url"), c.optionalSecret("database.ownerUrl"),
                Duration.ofSeconds(c.whole("database.connectSeconds", 0, 600)), c.whole("database.poolConnections", 1, 100),
                c.whole("database.poolWaitersMax", 1, 1_000_000), Duration.ofMillis(c.whole("database.poolWaitMillis", 10, 60_000)),
                c.whole("database.embeddedPort", 0, 65535), Duration.ofSeconds(c.whole("database.clockSkewSeconds", 0, 300)));
    }

    /** The same for a pool of so many connections. */
    public DatabaseSettings withConnections(int connections) {
        return new DatabaseSettings(url, ownerUrl, connectWait, connections, poolWaitersMax, poolWait, embeddedPort, clockSkew);
    }

    /** Without the URL, which may hold a password. */
    @Override
    public String toString() {
        return "DatabaseSettings[%s, poolConnections=%d]".formatted(url.isPresent() ? "external" : "embedded", poolConnections);
    }
}
