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
    private long takenBefore;
    private boolean watching;

    AnswerPace(int bytesPerSecondMin, int windowSeconds) {
        this.bytesPerSecondMin = bytesPerSecondMin;
        this.windowSeconds = windowSeconds;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        written += switch (message) {
            case ByteBuf bytes -> bytes.readableBytes();
            case FileRegion file -> file.count();
            default -> 0;
        };
        context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        if (!watching && waiting(context) > 0) {
            watching = true;
            takenBefore = taken(context);
            lookLater(context);
        }
    }

    private void lookLater(ChannelHandlerContext context) {
        context.executor().schedule(() -> look(context), windowSeconds, TimeUnit.SECONDS);
    }

    private void look(ChannelHandlerContext context) {
        if (!context.channel().isActive() || waiting(context) == 0) {
            watching = false;
            return;
        }
        long taken = taken(context);
        if (taken - takenBefore < (long) bytesPerSecondMin * windowSeconds) {
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

    /** Bytes that have been sent so far, including those of a message that is sent in part. */
    private long taken(ChannelHandlerContext context) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        return written - waiting(context) + (out == null ? 0 : out.currentProgress());
    }
}
