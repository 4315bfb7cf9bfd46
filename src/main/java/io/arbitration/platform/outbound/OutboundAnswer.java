package io.arbitration.platform.outbound;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * What came back.
 *
 * @param body as much of it as was asked for
 * @param cut whether there was more
 */
public record OutboundAnswer(int status, MultiMap headers, Buffer body, boolean cut) {}
