package io.arbitration.platform.db;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/**
 * Closes the socket of a connection that has brought nothing for too long. The driver alone says goodbye to the server, ends its own direction
 * and waits for the server's end, which a machine without power never sends: the statement would wait until TCP gives up, a quarter of an
 * hour later, and keep its place in the pool.
 */
final class SilentConnection extends ChannelInboundHandlerAdapter {

    private static final String IDLE = "idle";

    private SilentConnection() {}

    /** Watches a connection that was just made, and gives it to the pool. */
    static void watch(SqlConnection made) {
        SocketConnectionBase connection = (SocketConnectionBase) ((SqlConnectionInternal) made).unwrap().unwrap();
        // Between the clock of the silence and the driver, so that closing does not pass the driver.
        connection.socket().channelHandlerContext().pipeline().addAfter(IDLE, null, new SilentConnection());
        made.close();
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
