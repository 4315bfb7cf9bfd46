package io.arbitration.platform.browser;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The only other process in the {@link NetworkNamespace} of a browser. It forwards connections to {@code 127.0.x.y}, where x and
 * y are the bytes of a number, to the Unix-domain socket with that number. It ends with the process that started it.
 */
final class ProxyRelay {

    static final int PORT = 3128;
    /** The file whose existence shows that connections are accepted. */
    static final String OPEN = "open";
    private static final int GRACE_SECONDS = 5;
    private static final int BLOCK_BYTES = 16_384;
    private static final int SOCKET_DATAGRAM = 2;
    private static final int SOCKET_INTERNET = 2;
    /** {@code SIOCSIFFLAGS} and {@code IFF_UP} of Linux, and their structure. */
    private static final long SET_FLAGS = 0x8914;
    private static final short UP = 1;
    private static final int REQUEST_BYTES = 40;
    private static final int FLAGS_AT = 16;

    private ProxyRelay() {}

    /** @param arguments the folder of the sockets */
    public static void main(String[] arguments) throws Throwable {
        Path folder = Path.of(arguments[0]);
        // The delay lets the platform notice the end of the browser first. Otherwise pages would fail because of their lost
        // connections.
        ProcessHandle.current().parent().ifPresent(browser -> browser.onExit().thenRunAsync(() -> System.exit(0),
                CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS)));
        raiseLoopback();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress("0.0.0.0", PORT));
            Files.createFile(folder.resolve(OPEN));
            while (true) {
                SocketChannel inside = server.accept();
                Thread.startVirtualThread(() -> carry(inside, folder));
            }
        }
    }

    /** A new network namespace has a loopback interface, but it is down. */
    private static void raiseLoopback() throws Throwable {
        Linker linker = Linker.nativeLinker();
        SymbolLookup system = linker.defaultLookup();
        MethodHandle socket = linker.downcallHandle(system.findOrThrow("socket"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        MethodHandle control = linker.downcallHandle(system.findOrThrow("ioctl"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS), Linker.Option.firstVariadicArg(2));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(REQUEST_BYTES);
            request.setString(0, "lo");
            request.set(ValueLayout.JAVA_SHORT, FLAGS_AT, UP);
            int descriptor = (int) socket.invokeExact(SOCKET_INTERNET, SOCKET_DATAGRAM, 0);
            if ((int) control.invokeExact(descriptor, SET_FLAGS, request) != 0) {
                throw new IOException("the loopback interface cannot be raised");
            }
        }
    }

    private static void carry(SocketChannel inside, Path folder) {
        try (inside; SocketChannel outside = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            byte[] address = ((InetSocketAddress) inside.getLocalAddress()).getAddress().getAddress();
            int number = (address[2] & 0xff) << 8 | address[3] & 0xff;
            outside.connect(UnixDomainSocketAddress.of(folder.resolve(String.valueOf(number))));
            Thread back = Thread.startVirtualThread(() -> copy(outside, inside));
            copy(inside, outside);
            back.join();
        } catch (IOException gone) {
            // The page has ended, and its proxy port with it; the browser's connection is closed.
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        try {
            while (from.read(block) >= 0) {
                block.flip();
                while (block.hasRemaining()) {
                    to.write(block);
                }
                block.clear();
            }
            to.shutdownOutput();
        } catch (IOException broken) {
            close(from);
            close(to);
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException closed) {
            // It is closed, as intended.
        }
    }
}
