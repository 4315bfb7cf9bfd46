package io.arbitration.platform.db;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateEvent;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/**
 * Closes the socket of a connection that has brought nothing for too long. The driver by itself takes leave of the server and waits until the
 * server ends the connection, which a machine without power never does: the statement would wait until TCP gives up, a quarter of an hour
 * later, and keep its place in the pool.
 */
final class SilentConnection extends ChannelInboundHandlerAdapter {

    /** The name of the handler with which Vert.x tells that nothing was read for so long. */
    private static final String IDLE = "idle";

    private SilentConnection() {}

    /** Watches a connection that was just made, and gives it to the pool. */
    static void watch(SqlConnection made) {
        try {
            SocketConnectionBase connection = (SocketConnectionBase) ((SqlConnectionInternal) made).unwrap().unwrap();
            ChannelPipeline pipeline = connection.socket().channelHandlerContext().pipeline();
            // Before the driver, so that closing does not pass it. A connection that has ended meanwhile has no such handlers any more.
            if (pipeline.get(IDLE) != null) {
                pipeline.addAfter(IDLE, null, new SilentConnection());
            }
        } finally {
            // In any case: else its place in the pool stays taken.
            made.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        } else {
            context.fireUserEventTriggered(event);
        }
    }
}
