package io.arbitration.platform.outbound;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Map;

/**
 * A request to a user-given address.
 *
 * @param within bounds the whole exchange, from looking up the name to the last byte of the answer
 * @param responseBytesMax how much of the answer's body is read; the rest is left and the connection closed
 */
public record OutboundRequest(
        TargetUrl target, HttpMethod method, Map<String, String> headers, Buffer body, Duration within, int responseBytesMax) {}
