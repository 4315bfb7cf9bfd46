package io.arbitration.platform.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/2 over TLS that sends exactly the frames it is given (RFC 9113). */
final class Http2Frames implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int CANCEL = 8;
    static final byte[] NOTHING = {};
    /** Indexed fields of the static table, GET, https and /; and :authority as a literal. */
    static final byte[] GET = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'};

    private final SSLSocket socket;
    private final DataInputStream in;

    /** @param error that a frame of {@code RST_STREAM} or {@code GOAWAY} tells, else 0 */
    record Frame(int type, int stream, int error) {}

    Http2Frames(SSLContext trusting, int port) throws IOException {
        socket = (SSLSocket) trusting.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(10_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length).put((byte) (payload.length >> 16)).putShort((short) payload.length).put((byte) type).put((byte) flags)
                .putInt(stream).put(payload).array();
    }

    static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** Settings by which the server may send so many bytes on each stream until it is granted more. */
    static byte[] window(int bytes) {
        return frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).putInt(bytes).array());
    }

    /** Whether all could be written; not when the server has closed the connection. */
    boolean send(byte[]... frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] one : frames) {
            bytes.writeBytes(one);
        }
        try {
            socket.getOutputStream().write(bytes.toByteArray());
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** The next frame of a kind; null when the connection is closed before it comes. */
    Frame awaits(Predicate<Frame> kind) throws IOException {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                int error = switch (type) {
                    case RST_STREAM -> ByteBuffer.wrap(payload).getInt();
                    case GOAWAY -> ByteBuffer.wrap(payload).getInt(4);
                    default -> 0;
                };
                Frame frame = new Frame(type, stream, error);
                if (kind.test(frame)) {
                    return frame;
                }
            }
        } catch (EOFException | SocketException | SSLException closed) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
