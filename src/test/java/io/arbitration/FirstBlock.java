package io.arbitration;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads the first block of an event stream, which never ends by itself, and then leaves. */
final class FirstBlock implements HttpResponse.BodySubscriber<byte[]> {

    /** Reads event streams in this way, and every other answer whole. */
    static final HttpResponse.BodyHandler<byte[]> OF_STREAMS = head ->
            head.headers().firstValue("content-type").filter("text/event-stream"::equals).isPresent() ? new FirstBlock() : HttpResponse.BodySubscribers.ofByteArray();

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        buffers.forEach(buffer -> {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            read.writeBytes(bytes);
        });
        if (read.toString(StandardCharsets.UTF_8).contains("\n\n")) {
            subscription.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failed) {
        body.completeExceptionally(failed);
    }

    @Override
    public void onComplete() {
        body.complete(read.toByteArray());
    }
}
