package io.arbitration.platform.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Bounds the frames of an HTTP/2 connection that cost the server work and belong to no request, and the requests that the client itself
 * makes fail by an error in their streams (CVE-2025-8671). One beyond a bound ends the connection at
 * once: frames that were already received with it are not processed. A client that uses HTTP/2 as intended sends a few of them a minute.
 */
final class ControlFrames extends Http2FrameListenerDecorator {

    /** Settings that change the windows cost work for each open stream. */
    private static final int SETTINGS_MAX = 10;
    private static final int PINGS_MAX = 50;
    private static final int PRIORITIES_MAX = 500;
    private static final int RESETS_MAX = 40;

    private final Http2Requests requests;
    private int settings;
    private int pings;
    private int priorities;

    private ControlFrames(Http2ConnectionDecoder decoder, Http2Requests requests) {
        super(decoder.frameListener());
        this.requests = requests;
    }

    static ControlFrames boundedOn(Http2ConnectionDecoder decoder, Http2Requests requests) {
        ControlFrames bounded = new ControlFrames(decoder, requests);
        decoder.frameListener(bounded);
        return bounded;
    }

    /** Begins to count anew. To be called each second, on the event loop of the connection. */
    void beginSecond() {
        settings = 0;
        pings = 0;
        priorities = 0;
        requests.beginSecond();
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean isEnd) throws Http2Exception {
        endForResets();
        super.onHeadersRead(context, stream, headers, padding, isEnd);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers headers, int dependency, short weight, boolean exclusive, int padding, boolean isEnd)
            throws Http2Exception {
        endForResets();
        super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, isEnd);
    }

    private void endForResets() throws Http2Exception {
        endBeyond(requests.resetForError(), RESETS_MAX, "errors of streams");
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings changed) throws Http2Exception {
        endBeyond(++settings, SETTINGS_MAX, "settings");
        super.onSettingsRead(context, changed);
    }

    @Override
    public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
        endBeyond(++pings, PINGS_MAX, "pings");
        super.onPingRead(context, data);
    }

    @Override
    public void onPriorityRead(ChannelHandlerContext context, int stream, int dependency, short weight, boolean exclusive) throws Http2Exception {
        endBeyond(++priorities, PRIORITIES_MAX, "priorities");
        super.onPriorityRead(context, stream, dependency, weight, exclusive);
    }

    private static void endBeyond(int count, int most, String what) throws Http2Exception {
        if (count > most) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "more than %d frames of %s in a second", most, what);
        }
    }
}
