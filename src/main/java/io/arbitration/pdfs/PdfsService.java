package io.arbitration.pdfs;

import io.arbitration.pdfs.fill.FieldValues;
import io.arbitration.pdfs.fill.Fill;
import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.RefusedTemplate;
import io.arbitration.pdfs.template.TemplateCompiler;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.paper.PaperError;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills, stores and lists templates. May be called from any event loop. */
final class PdfsService {

    private static final Logger LOG = LoggerFactory.getLogger(PdfsService.class);
    /** Each holds a whole file in memory. */
    private static final Bulkhead.Bounds UPLOADS = new Bulkhead.Bounds(2, 1, 0);
    /**
     * A fill counts by its characters, because its time depends on the length of its texts. A short fill counts as this many, so
     * that one caller cannot fill the queue.
     */
    static final int FILL_CHARACTERS_MIN = 3125;
    private static final Bulkhead.Bounds FILLS = new Bulkhead.Bounds(10L * FieldValues.CHARACTERS_MAX, 2L * FieldValues.CHARACTERS_MAX, 0);
    private static final int RETRY_SECONDS = 2;

    private final Templates templates;
    private final TemplateRepository repository;
    private final PaperWorkers workers;
    private final long templatesBytesMax;
    private final Clock clock;
    private final Supplier<Future<Void>> ready;
    private final Bulkhead uploads = new Bulkhead(UPLOADS, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> PdfsError.UPLOADS_OF_CALLER.refusal(UPLOADS.mostPerCaller()).retryAfter(RETRY_SECONDS));
    private final Bulkhead fills = new Bulkhead(FILLS, () -> PaperError.BUSY.refusal().retryAfter(RETRY_SECONDS),
            () -> PdfsError.FILLS_OF_CALLER.refusal(FILLS.mostPerCaller(), FILL_CHARACTERS_MIN).retryAfter(RETRY_SECONDS));

    /** @param ready completes when the existing templates are compiled; the first call starts this */
    PdfsService(Templates templates, TemplateRepository repository, PaperWorkers workers, long templatesBytesMax, Clock clock, Supplier<Future<Void>> ready) {
        this.templates = templates;
        this.repository = repository;
        this.workers = workers;
        this.templatesBytesMax = templatesBytesMax;
        this.clock = clock;
        this.ready = ready;
    }

    /** In the order of their document IDs. */
    Future<Map<String, CompiledTemplate>> list() {
        return ready.get().map(compiled -> templates.all());
    }

    /**
     * Fills a template.
     *
     * @param caller the caller whose share of the node this uses: its address, because filling needs no sign-in
     * @return the PDF
     */
    Future<byte[]> fill(Object caller, String documentId, Map<String, String> given) {
        return ready.get().compose(compiled -> {
            CompiledTemplate template = templates.of(documentId).orElseThrow(PdfsError.TEMPLATE_NOT_FOUND::refusal);
            long weight = Math.clamp(FieldValues.characters(given), FILL_CHARACTERS_MIN, FieldValues.CHARACTERS_MAX);
            Bulkhead.Permit permit = fills.acquire(caller, weight);
            return workers.make(() -> Fill.fill(template, FieldValues.checked(template, given))).onComplete(done -> permit.close());
        });
    }

    /** Begins an upload; refuses it with 503 when this node has its maximum number of uploads, with 429 when the caller has. */
    TemplateFile begin(UUID caller) {
        return new TemplateFile(uploads.acquire(caller));
    }

    /** Compiles a template and stores it for every node; it replaces the document's former template. */
    Future<CompiledTemplate> upload(String documentId, TemplateFile file, UUID by) {
        byte[] content = file.content();
        return ready.get().compose(compiled -> workers.make(() -> compiled(documentId, content)))
                .compose(template -> repository.put(documentId, content, template.hash(), by, clock.instant().truncatedTo(ChronoUnit.MILLIS))
                        .map(stored -> {
                            templates.put(documentId, template);
                            LOG.info("user {} uploaded a template for {}", by, documentId);
                            return template;
                        }))
                .onComplete(done -> file.release());
    }

    private CompiledTemplate compiled(String documentId, byte[] content) {
        if (content.length == 0) {
            throw Refusal.badRequest("file: must not be empty");
        }
        try {
            CompiledTemplate template = TemplateCompiler.compile(content);
            if (templates.weightWith(documentId, template) > templatesBytesMax) {
                throw new RefusedTemplate("does not fit: all templates together may take %d bytes".formatted(templatesBytesMax));
            }
            return template;
        } catch (RefusedTemplate refused) {
            throw PdfsError.TEMPLATE_REFUSED.refusal(refused.getMessage());
        }
    }
}
