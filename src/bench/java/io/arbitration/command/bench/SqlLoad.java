package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.time.Duration;
import java.util.List;

/** Runs SQL as fast as a fixed number of connections can: what the platform is held against. */
interface SqlLoad {

    int CLIENTS = 8;

    /** How it is named in the report. */
    String name();

    /** Runs one of the statements at a time on each connection, chosen at random, and returns how many ran a second. */
    double perSecond(DatabaseUrl database, List<String> statements, Duration duration);
}
