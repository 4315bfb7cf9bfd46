package io.arbitration.platform.cluster;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS for one connection between members of Hazelcast. The handshake is done first, on the socket while it is still in blocking mode.
 * Then handlers in Hazelcast's pipelines decrypt and encrypt, without blocking.
 */
final class MemberLink {

    private static final Duration HANDSHAKE_MOST = Duration.ofSeconds(3);
    /** Type, version and length of a record (RFC 8446, section 5.1). */
    private static final int RECORD_HEAD = 5;
    private static final int RECORD_MOST = 16_384 + 256;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;

    MemberLink(SSLEngine engine) {
        this.engine = engine;
    }

    /** @throws IOException when the other side does not have the secret, or the handshake takes longer than {@link #HANDSHAKE_MOST} */
    void handshake(Socket socket) throws IOException {
        long end = System.nanoTime() + HANDSHAKE_MOST.toNanos();
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        ByteBuffer plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
            switch (status) {
                case NEED_WRAP -> {
                    engine.wrap(NOTHING, out.clear());
                    socket.getOutputStream().write(out.array(), 0, out.position());
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> engine.unwrap(record(socket, end), plain.clear());
                case NEED_TASK -> runTasks();
                case FINISHED, NOT_HANDSHAKING -> throw new IllegalStateException();
            }
            status = engine.getHandshakeStatus();
            if (engine.isOutboundDone() || engine.isInboundDone()) {
                throw new EOFException("closed in the handshake");
            }
        }
        socket.setSoTimeout(0);
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Reads exactly one record: the bytes after the handshake are read by Hazelcast. */
    private static ByteBuffer record(Socket socket, long end) throws IOException {
        byte[] record = new byte[RECORD_HEAD + RECORD_MOST];
        fill(socket, record, 0, RECORD_HEAD, end);
        int length = (record[3] & 0xff) << 8 | record[4] & 0xff;
        if (length > RECORD_MOST) {
            throw new SSLException("no TLS record");
        }
        fill(socket, record, RECORD_HEAD, length, end);
        return ByteBuffer.wrap(record, 0, RECORD_HEAD + length);
    }

    private static void fill(Socket socket, byte[] bytes, int from, int count, long end) throws IOException {
        InputStream in = socket.getInputStream();
        int read = 0;
        while (read < count) {
            long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (millis <= 0) {
                throw new SocketTimeoutException("no handshake in time");
            }
            socket.setSoTimeout((int) millis);
            int now = in.read(bytes, from + read, count - read);
            if (now < 0) {
                throw new EOFException("closed in the handshake");
            }
            read += now;
        }
    }

    InboundHandler<ByteBuffer, ByteBuffer> decrypting() {
        return new Decrypting();
    }

    OutboundHandler<ByteBuffer, ByteBuffer> encrypting() {
        return new Encrypting();
    }

    private final class Decrypting extends InboundHandler<ByteBuffer, ByteBuffer> {

        /** Decrypted bytes that did not fit into the buffer of the next handler. */
        private final ByteBuffer plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize() + RECORD_MOST).flip();

        @Override
        public void handlerAdded() {
            src = ByteBuffer.allocate(4 * engine.getSession().getPacketBufferSize());
        }

        @Override
        public HandlerStatus onRead() throws IOException {
            src.flip();
            try {
                while (true) {
                    pass();
                    if (plain.hasRemaining()) {
                        // The next handler empties its buffer, and this one is called again at once.
                        return HandlerStatus.DIRTY;
                    }
                    if (!src.hasRemaining() || !decrypt()) {
                        return HandlerStatus.CLEAN;
                    }
                }
            } finally {
                src.compact();
            }
        }

        private void pass() {
            int count = Math.min(plain.remaining(), dst.remaining());
            dst.put(dst.position(), plain, plain.position(), count);
            dst.position(dst.position() + count);
            plain.position(plain.position() + count);
        }

        /** Decrypts one record; false when it is not complete yet. */
        private boolean decrypt() throws IOException {
            plain.clear();
            SSLEngineResult result;
            try {
                result = engine.unwrap(src, plain);
            } finally {
                plain.flip();
            }
            if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            }
            return switch (result.getStatus()) {
                case OK -> true;
                case BUFFER_UNDERFLOW -> false;
                case CLOSED -> throw new EOFException("closed by the other side");
                case BUFFER_OVERFLOW -> throw new SSLException("a record longer than TLS allows");
            };
        }
    }

    private final class Encrypting extends OutboundHandler<ByteBuffer, ByteBuffer> {

        @Override
        public void handlerAdded() {
            dst = ByteBuffer.allocate(4 * engine.getSession().getPacketBufferSize()).flip();
        }

        @Override
        public HandlerStatus onWrite() throws IOException {
            dst.compact();
            try {
                while (src.hasRemaining() && dst.remaining() >= engine.getSession().getPacketBufferSize()) {
                    SSLEngineResult result = engine.wrap(src, dst);
                    if (result.getStatus() != SSLEngineResult.Status.OK) {
                        throw new SSLException("the link takes nothing more: " + result.getStatus());
                    }
                }
                return src.hasRemaining() ? HandlerStatus.DIRTY : HandlerStatus.CLEAN;
            } finally {
                dst.flip();
            }
        }
    }
}
