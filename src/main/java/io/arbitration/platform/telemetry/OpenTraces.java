package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import io.vertx.tracing.opentelemetry.VertxContextStorageProvider.VertxContextStorage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Traces by the OpenTelemetry SDK, which sends them as OTLP over HTTP on a thread of its own. While the collector does not
 * answer, up to {@value #WAITING_MAX} spans are kept and further ones dropped; no request waits for it.
 */
final class OpenTraces implements Traces {

    private static final int WAITING_MAX = 4096;
    private static final int BATCH_MAX = 512;
    private static final int VALUE_LENGTH_MAX = 2000;
    private static final Duration SEND_PERIOD = Duration.ofSeconds(1);
    private static final Duration SEND_WAIT = Duration.ofSeconds(5);
    private static final Pattern CONTEXT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private final ObservedPart collector = new ObservedPart(Clock.systemUTC());
    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    OpenTraces(TracesSettings settings) {
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint().orElseThrow().replaceAll("/+$", "") + "/v1/traces")
                .setCompression("gzip").setConnectTimeout(SEND_WAIT).setTimeout(SEND_WAIT);
        settings.headers().forEach(exporter::addHeader);
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"), settings.serviceName(),
                        AttributeKey.stringKey("service.instance.id"), UUID.randomUUID().toString())))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.samplesPerMille() / 1000.0)))
                .setSpanLimits(SpanLimits.builder().setMaxAttributeValueLength(VALUE_LENGTH_MAX).build())
                .addSpanProcessor(BatchSpanProcessor.builder(new ObservedExporter(exporter.build(), collector)).setMaxQueueSize(WAITING_MAX).setMaxExportBatchSize(BATCH_MAX)
                        .setScheduleDelay(SEND_PERIOD).setExporterTimeout(SEND_WAIT).build())
                .build();
        this.sdk = OpenTelemetrySdk.builder().setTracerProvider(provider)
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance())).build();
        this.tracer = sdk.getTracer("arbitration-platform");
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Optional<VertxTracerFactory> factory() {
        OpenTelemetryTracingFactory vertx = new OpenTelemetryTracingFactory(sdk);
        return Optional.of(options -> new RedactingTracer<>(vertx.tracer(options)));
    }

    /** Empty for work that is not sampled, so that rows store no useless context. */
    @Override
    public Optional<String> context() {
        SpanContext span = Span.current().getSpanContext();
        return span.isValid() && span.isSampled()
                ? Optional.of("00-%s-%s-%s".formatted(span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex()))
                : Optional.empty();
    }

    private Optional<SpanBuilder> builder(Optional<String> context, Work work) {
        return context.map(CONTEXT::matcher).filter(Matcher::matches).map(parts -> {
            SpanContext parent = SpanContext.createFromRemoteParent(
                    parts.group(1), parts.group(2), TraceFlags.fromHex(parts.group(3), 0), TraceState.getDefault());
            SpanBuilder builder = tracer.spanBuilder(work.name()).setParent(Context.root().with(Span.wrap(parent))).setSpanKind(switch (work.kind()) {
                case SENDS -> SpanKind.PRODUCER;
                case TAKES -> SpanKind.CONSUMER;
                case WORKS -> SpanKind.INTERNAL;
            });
            work.attributes().forEach(builder::setAttribute);
            return builder;
        });
    }

    /** Runs the work on a duplicated context, so that other work on the context of the caller does not become part of the trace. */
    @Override
    public <T> Future<T> within(Vertx vertx, Optional<String> context, Work work, Supplier<Future<T>> run) {
        Optional<SpanBuilder> builder = builder(context, work);
        if (builder.isEmpty() && !Span.current().getSpanContext().isValid()) {
            return run.get();
        }
        // Work that is not traced must not become part of the trace of the current context.
        Span span = builder.map(SpanBuilder::startSpan).orElse(Span.getInvalid());
        ContextInternal here = (ContextInternal) vertx.getOrCreateContext();
        ContextInternal own = here.duplicate();
        Promise<T> done = here.promise();
        VertxContextStorage.INSTANCE.attach(own, Context.root().with(span));
        own.dispatch(ignored -> guarded(run).onComplete(ended -> {
            if (ended.failed()) {
                span.setStatus(StatusCode.ERROR).setAttribute(ERROR, ended.cause().getClass().getSimpleName());
            }
            span.end();
            done.handle(ended);
        }));
        return done.future();
    }

    private static <T> Future<T> guarded(Supplier<Future<T>> run) {
        try {
            return run.get();
        } catch (RuntimeException failed) {
            return Future.failedFuture(failed);
        }
    }

    @Override
    public void recordSpan(Optional<String> context, Work work, Instant begun) {
        builder(context, work).ifPresent(builder -> builder.setStartTimestamp(begun).startSpan().end());
    }

    @Override
    public void name(String operation, Map<String, String> attributes) {
        Span span = Span.current();
        if (span.isRecording()) {
            span.updateName(operation);
            attributes.forEach(span::setAttribute);
        }
    }

    @Override
    public PartState state() {
        return collector.state();
    }

    @Override
    public void close() {
        sdk.getSdkTracerProvider().shutdown().join(SEND_WAIT.toSeconds(), TimeUnit.SECONDS);
    }
}
