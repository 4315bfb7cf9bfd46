package io.arbitration.platform.objects;

import static io.arbitration.platform.objects.Fingerprint.BLOCK_BYTES;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** A range of an object, extended to whole blocks so that each can be verified, and cut back before it is passed on. */
final class VerifiedRange implements ObjectStore.Check {

    private final ObjectAddress address;
    private final Fingerprint fingerprint;
    private final long from;
    private final long to;
    private int block;

    VerifiedRange(ObjectAddress address, Fingerprint fingerprint, long from, long length) {
        this.address = address;
        this.fingerprint = fingerprint;
        this.from = from;
        this.to = from + length;
        this.block = (int) (from / BLOCK_BYTES);
    }

    long alignedFrom() {
        return from / BLOCK_BYTES * BLOCK_BYTES;
    }

    long alignedLength() {
        return Math.min(Math.ceilDiv(to, BLOCK_BYTES) * BLOCK_BYTES, fingerprint.bytes()) - alignedFrom();
    }

    @Override
    public void check(byte[] bytes) {
        if (!fingerprint.proves(block, bytes)) {
            throw new ObjectFailure(ObjectFailure.Kind.ALTERED, "%s: block %d is not what was written".formatted(address, block));
        }
        block++;
    }

    Blocks cut(Blocks whole) {
        return new Blocks() {
            private long position = alignedFrom();

            @Override
            public Future<Buffer> next() {
                return whole.next().map(bytes -> {
                    int start = (int) Math.max(0, from - position);
                    int end = (int) Math.min(bytes.length(), to - position);
                    position += bytes.length();
                    return start == 0 && end == bytes.length() ? bytes : bytes.slice(start, Math.max(start, end));
                });
            }

            @Override
            public void close() {
                whole.close();
            }
        };
    }
}
