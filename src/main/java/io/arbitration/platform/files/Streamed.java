package io.arbitration.platform.files;

import io.arbitration.platform.objects.Blocks;
import java.time.Duration;

/**
 * An answer that is created while it is sent, so its length is unknown.
 *
 * @param fileName cleaned by {@link FileName}
 * @param stall a client that takes longer for one block is disconnected
 * @param most a client that takes longer for the whole answer is disconnected
 */
public record Streamed(String contentType, String fileName, Blocks blocks, Duration stall, Duration most) {}
