package io.arbitration.platform.outbound;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * An answer to an {@link OutboundRequest}.
 *
 * @param body at most as many bytes as the request allowed
 * @param cut whether the body was longer
 */
public record OutboundAnswer(int status, MultiMap headers, Buffer body, boolean cut) {}
