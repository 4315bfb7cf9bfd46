package io.arbitration.platform.db;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Many records as the columns of one statement: each column an array, for {@code unnest}. Nulls stay null. */
public final class Columns<T> {

    private final List<T> records;
    private final Tuple tuple = Tuple.tuple();

    public Columns(List<T> records) {
        this.records = records;
    }

    public Columns<T> texts(Function<T, String> value) {
        tuple.addArrayOfString(records.stream().map(value).toArray(String[]::new));
        return this;
    }

    public Columns<T> numbers(Function<T, Long> value) {
        tuple.addArrayOfLong(records.stream().map(value).toArray(Long[]::new));
        return this;
    }

    public Columns<T> ids(Function<T, UUID> value) {
        tuple.addArrayOfUUID(records.stream().map(value).toArray(UUID[]::new));
        return this;
    }

    public Columns<T> flags(Function<T, Boolean> value) {
        tuple.addArrayOfBoolean(records.stream().map(value).toArray(Boolean[]::new));
        return this;
    }

    public Columns<T> times(Function<T, Instant> value) {
        tuple.addArrayOfOffsetDateTime(records.stream()
                .map(one -> {
                    Instant instant = value.apply(one);
                    return instant == null ? null : utc(instant);
                })
                .toArray(OffsetDateTime[]::new));
        return this;
    }

    /** A time as the driver takes it for a column of type timestamptz. */
    public static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    public Columns<T> bytes(Function<T, Buffer> value) {
        tuple.addArrayOfBuffer(records.stream().map(value).toArray(Buffer[]::new));
        return this;
    }

    public Tuple tuple() {
        return tuple;
    }
}
