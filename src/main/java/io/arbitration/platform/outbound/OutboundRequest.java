package io.arbitration.platform.outbound;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Map;

/**
 * A request to a URL that a user gave.
 *
 * @param within bound on the whole exchange, from resolving the name to the last byte of the answer
 * @param responseBytesMax of the answer's body; when it is longer, the rest is not read and the connection is closed
 */
public record OutboundRequest(
        TargetUrl target, HttpMethod method, Map<String, String> headers, Buffer body, Duration within, int responseBytesMax) {}
