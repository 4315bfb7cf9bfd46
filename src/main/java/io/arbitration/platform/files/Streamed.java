package io.arbitration.platform.files;

import io.arbitration.platform.objects.Blocks;
import java.time.Duration;

/**
 * An answer that is made while it is sent, so that nobody knows its length.
 *
 * @param fileName as it was cleaned by {@link FileName}
 * @param stall a client that takes longer for a block is cut off
 * @param most so is one that takes longer for the whole
 */
public record Streamed(String contentType, String fileName, Blocks blocks, Duration stall, Duration most) {}
