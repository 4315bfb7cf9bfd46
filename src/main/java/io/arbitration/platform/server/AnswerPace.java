package io.arbitration.platform.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose client reads its answers slower than a minimum rate, because unread bytes occupy memory here. Is the
 * first handler after the socket, so that it counts the bytes which have really been sent.
 */
final class AnswerPace extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerPace.class);

    private final int bytesPerSecondMin;
    private final int windowSeconds;
    private long written;
    /** Of what was written: handed to the socket, which has sent it or holds it until the client reads. */
    private long flushed;
    private long takenBefore;
    private boolean watching;

    AnswerPace(int bytesPerSecondMin, int windowSeconds) {
        this.bytesPerSecondMin = bytesPerSecondMin;
        this.windowSeconds = windowSeconds;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        written += unsent(message);
        context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        flushed = written;
        context.flush();
        if (!watching && waiting(context) > 0) {
            watching = true;
            takenBefore = taken(context);
            lookLater(context);
        }
    }

    private void lookLater(ChannelHandlerContext context) {
        long due = context.executor().ticker().nanoTime() + TimeUnit.SECONDS.toNanos(windowSeconds);
        context.executor().schedule(() -> look(context, due), windowSeconds, TimeUnit.SECONDS);
    }

    private void look(ChannelHandlerContext context, long due) {
        if (!context.channel().isActive() || waiting(context) == 0) {
            watching = false;
            return;
        }
        long taken = taken(context);
        // Late by a whole window: this process stood still itself, and sent nothing meanwhile.
        boolean stoodStill = context.executor().ticker().nanoTime() - due > TimeUnit.SECONDS.toNanos(windowSeconds);
        if (!stoodStill && taken - takenBefore < (long) bytesPerSecondMin * windowSeconds) {
            LOG.info("a connection from {} is closed: of its answers it took {} bytes in {} s", context.channel().remoteAddress(), taken - takenBefore, windowSeconds);
            context.close();
            return;
        }
        takenBefore = taken;
        lookLater(context);
    }

    private static long waiting(ChannelHandlerContext context) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        return out == null ? 0 : Math.max(0, out.totalPendingWriteBytes());
    }

    /**
     * Bytes that have been sent so far, including those of a message that is sent in part. Netty's own count of what waits holds more for each
     * message than its bytes: with many short ones it grows faster than what was written.
     */
    private long taken(ChannelHandlerContext context) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        long[] unsent = {0};
        try {
            if (out != null) {
                out.forEachFlushedMessage(message -> {
                    unsent[0] += unsent(message);
                    return true;
                });
            }
        } catch (Exception ofNoMessage) {
            throw new IllegalStateException(ofNoMessage);
        }
        return flushed - unsent[0];
    }

    private static long unsent(Object message) {
        return switch (message) {
            case ByteBuf bytes -> bytes.readableBytes();
            case FileRegion file -> file.count() - file.transferred();
            default -> 0;
        };
    }
}
