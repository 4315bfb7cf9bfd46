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
 * Closes a connection whose client reads its answers more slowly than a minimum rate, because unread bytes occupy memory. It is
 * the first handler after the socket, so that it counts the bytes that have really been sent.
 */
final class AnswerPace extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerPace.class);

    private final int bytesPerSecondMin;
    private final int windowSeconds;
    private long written;
    /** The written bytes that were passed to the socket, which has sent them or holds them until the client reads. */
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
            checkPaceLater(context);
        }
    }

    private void checkPaceLater(ChannelHandlerContext context) {
        long due = context.executor().ticker().nanoTime() + TimeUnit.SECONDS.toNanos(windowSeconds);
        context.executor().schedule(() -> checkPace(context, due), windowSeconds, TimeUnit.SECONDS);
    }

    private void checkPace(ChannelHandlerContext context, long due) {
        if (!context.channel().isActive() || waiting(context) == 0) {
            watching = false;
            return;
        }
        long taken = taken(context);
        // A check that is late by a whole window: this process was suspended and sent nothing meanwhile.
        boolean stoodStill = context.executor().ticker().nanoTime() - due > TimeUnit.SECONDS.toNanos(windowSeconds);
        if (!stoodStill && taken - takenBefore < (long) bytesPerSecondMin * windowSeconds) {
            LOG.info("a connection from {} is closed: of its answers it took {} bytes in {} s", context.channel().remoteAddress(), taken - takenBefore, windowSeconds);
            context.close();
            return;
        }
        takenBefore = taken;
        checkPaceLater(context);
    }

    private static long waiting(ChannelHandlerContext context) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        return out == null ? 0 : Math.max(0, out.totalPendingWriteBytes());
    }

    /**
     * The bytes sent so far, including those of a partly sent message. Netty's own count of waiting bytes adds a fixed amount for
     * each message: with many short messages it grows faster than the written bytes.
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
