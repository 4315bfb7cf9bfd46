package io.arbitration.mainapi.live;

import io.arbitration.platform.events.LogPosition;
import io.arbitration.platform.events.SequenceRanges;
import io.arbitration.platform.events.SequenceRanges.Range;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The id of an event in a stream: where in the log its reader is. Opaque to clients. It is not signed: a forged one leads to other events
 * of cases that the caller may see anyhow.
 *
 * @param at when it was given out, in whole seconds
 */
record StreamCursor(LogPosition position, Instant at) {

    /** How long one can be gone on from. */
    static final Duration GOOD_FOR = Duration.ofHours(24);
    /** More are joined to fewer that cover them, so that some events may be sent again. */
    private static final int RANGES_MAX = 32;
    private static final int LENGTH_MAX = 1024;
    private static final byte VERSION = 1;

    String text() {
        List<Range> missing = position.missing().coveredBy(RANGES_MAX).ranges();
        ByteBuffer bytes = ByteBuffer.allocate(1 + 2 * Long.BYTES + missing.size() * 2 * Long.BYTES);
        bytes.put(VERSION).putLong(at.getEpochSecond()).putLong(position.readUpTo());
        missing.forEach(range -> bytes.putLong(range.from()).putLong(range.to()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** Empty for what {@link #text} never gives. */
    static Optional<StreamCursor> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.get() != VERSION) {
                return Optional.empty();
            }
            Instant at = Instant.ofEpochSecond(bytes.getLong());
            long readUpTo = bytes.getLong();
            List<Range> missing = new ArrayList<>();
            while (bytes.hasRemaining()) {
                missing.add(new Range(bytes.getLong(), bytes.getLong()));
            }
            return readUpTo < 0 || missing.size() > RANGES_MAX || missing.stream().anyMatch(range -> range.to() > readUpTo) ? Optional.empty()
                    : Optional.of(new StreamCursor(new LogPosition(readUpTo, SequenceRanges.of(missing.stream())), at));
        } catch (IllegalArgumentException | BufferUnderflowException | java.time.DateTimeException none) {
            return Optional.empty();
        }
    }

    boolean isValidAt(Instant now) {
        return now.isBefore(at.plus(GOOD_FOR));
    }
}
