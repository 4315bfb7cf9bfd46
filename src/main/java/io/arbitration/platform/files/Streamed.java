package io.arbitration.platform.files;

import io.arbitration.platform.objects.Blocks;
import java.time.Duration;

/**
 * An answer that is made while it is sent, so that its length is not known before.
 *
 * @param fileName as it was cleaned by {@link FileName}
 * @param stall a client that takes longer than this for a block is disconnected
 * @param most a client that takes longer than this for the whole answer is disconnected
 */
public record Streamed(String contentType, String fileName, Blocks blocks, Duration stall, Duration most) {}
