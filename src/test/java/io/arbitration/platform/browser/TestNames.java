package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.datagram.DatagramPacket;
import io.vertx.core.datagram.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A name server: {@code outer.test} is 127.0.0.2, {@code inner.test} 127.0.0.1, {@code rebind.test} the one and the other in
 * turns, and no answer may be kept; other names do not exist.
 */
final class TestNames {

    private static final byte[] OUTER = {127, 0, 0, 2};
    private static final byte[] INNER = {127, 0, 0, 1};
    private static final int HEADER = 12;
    private static final int TYPE_A = 1;

    private final DatagramSocket socket;
    private final AtomicInteger rebound = new AtomicInteger();

    private TestNames(DatagramSocket socket) {
        this.socket = socket;
    }

    static Future<TestNames> open(Vertx vertx) {
        DatagramSocket socket = vertx.createDatagramSocket();
        TestNames names = new TestNames(socket);
        return socket.handler(names::answer).listen(0, "127.0.0.1").map(names);
    }

    List<InetSocketAddress> servers() {
        return List.of(new InetSocketAddress("127.0.0.1", socket.localAddress().port()));
    }

    /** RFC 1035, section 4: the question again, and an address behind a pointer to its name. */
    private void answer(DatagramPacket question) {
        Buffer asked = question.data();
        StringBuilder name = new StringBuilder();
        int at = HEADER;
        for (int length = asked.getByte(at); length > 0; length = asked.getByte(at)) {
            name.append(new String(asked.getBytes(at + 1, at + 1 + length), StandardCharsets.US_ASCII)).append('.');
            at += 1 + length;
        }
        int end = at + 5;
        byte[] address = asked.getUnsignedShort(at + 1) == TYPE_A ? address(name.toString()) : null;
        boolean known = name.toString().endsWith(".test.");
        Buffer answer = Buffer.buffer().appendBytes(asked.getBytes(0, 2)).appendUnsignedShort(known ? 0x8180 : 0x8183)
                .appendUnsignedShort(1).appendUnsignedShort(address == null ? 0 : 1).appendUnsignedShort(0).appendUnsignedShort(0)
                .appendBytes(asked.getBytes(HEADER, end));
        if (address != null) {
            answer.appendUnsignedShort(0xc00c).appendUnsignedShort(TYPE_A).appendUnsignedShort(1).appendInt(0)
                    .appendUnsignedShort(address.length).appendBytes(address);
        }
        socket.send(answer, question.sender().port(), question.sender().host());
    }

    private byte[] address(String name) {
        return switch (name) {
            case "outer.test." -> OUTER;
            case "inner.test." -> INNER;
            case "rebind.test." -> rebound.getAndIncrement() % 2 == 0 ? OUTER : INNER;
            default -> null;
        };
    }
}
