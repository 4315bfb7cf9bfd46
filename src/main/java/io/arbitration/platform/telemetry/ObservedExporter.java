package io.arbitration.platform.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Optional;

/** Sends spans to the collector, and keeps how the last sending ended for the health of the node. */
final class ObservedExporter implements SpanExporter {

    private static final String USE = "spans";

    private final SpanExporter exporter;
    private final ObservedPart collector;

    ObservedExporter(SpanExporter exporter, ObservedPart collector) {
        this.exporter = exporter;
        this.collector = collector;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode sending = exporter.export(spans);
        return sending.whenComplete(() -> {
            if (sending.isSuccess()) {
                collector.succeeded(USE);
            } else {
                failed(Optional.ofNullable(sending.getFailureThrowable()));
            }
        });
    }

    /** A refusal comes without a cause and without words; the exporter logs its status. */
    private void failed(Optional<Throwable> failure) {
        failure.map(Throwable::getCause).ifPresentOrElse(cause -> collector.ended(USE, Future.failedFuture(cause)),
                () -> collector.failed(USE, "the collector refused them; the log has its answer"));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
