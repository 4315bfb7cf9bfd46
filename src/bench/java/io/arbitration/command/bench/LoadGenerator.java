package io.arbitration.command.bench;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Puts a server under load: each connection sends its next request when the answer to the last one has come. */
interface LoadGenerator {

    /** A POST with a JSON body. */
    record Request(String path, String token, String body) {}

    /** How it is named in the report. */
    String name();

    /** Sends the requests over and over for the given time. */
    Load repeat(URI server, List<Request> requests, int connections, Duration duration);

    /**
     * Sends each request once, for the given time.
     *
     * @throws BenchFailed when the requests run out before the time does: the rate would be too low
     */
    Load once(URI server, List<Request> requests, int connections, Duration duration);
}
