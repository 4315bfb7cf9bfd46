package io.arbitration.webhooks;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A name server on loopback that answers every question for an IPv4 address with the next of its addresses, the last one for ever. */
final class NameServer implements AutoCloseable {

    private static final int QUESTION_AT = 12;
    private static final int TYPE_A = 1;
    private static final int ANSWER_FLAGS = 0x8180;
    private static final int NAME_OF_THE_QUESTION = 0xc00c;

    private final DatagramSocket socket;
    private final BlockingQueue<InetAddress> addresses = new LinkedBlockingQueue<>();

    NameServer(String... addresses) throws IOException {
        for (String address : addresses) {
            this.addresses.add(InetAddress.getByName(address));
        }
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
        byte[] buffer = new byte[512];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                byte[] answer = answer(ByteBuffer.wrap(buffer, 0, packet.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** An answer with one record that may not be kept; none where it was not asked for an IPv4 address. */
    private byte[] answer(ByteBuffer question) {
        int end = QUESTION_AT;
        while (question.get(end) != 0) {
            end += 1 + question.get(end);
        }
        int type = question.getShort(end + 1);
        int questionEnd = end + 5;
        List<InetAddress> found = type == TYPE_A ? List.of(addresses.size() > 1 ? addresses.remove() : addresses.element()) : List.of();
        ByteBuffer answer = ByteBuffer.allocate(512);
        answer.putShort(question.getShort(0)).putShort((short) ANSWER_FLAGS).putShort((short) 1).putShort((short) found.size()).putInt(0);
        answer.put(question.slice(QUESTION_AT, questionEnd - QUESTION_AT));
        for (InetAddress address : found) {
            answer.putShort((short) NAME_OF_THE_QUESTION).putShort((short) TYPE_A).putShort((short) 1).putInt(0).putShort((short) 4).put(address.getAddress());
        }
        byte[] bytes = new byte[answer.position()];
        answer.get(0, bytes);
        return bytes;
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() {
        socket.close();
    }
}
