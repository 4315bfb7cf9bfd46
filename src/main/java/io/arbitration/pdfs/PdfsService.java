package io.arbitration.pdfs;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills templates, takes new ones, and knows which there are. Of one event loop. */
final class PdfsService {

    private static final Logger LOG = LoggerFactory.getLogger(PdfsService.class);
    /** Each holds a whole file. */
    private static final int UPLOADS_MAX = 2;

    private final Templates templates;
    private final TemplateRepository repository;
    private final PaperWorkers workers;
    private final long templatesBytesMax;
    private final Clock clock;
    private final Future<Void> ready;
    private int uploads;

    /** @param ready when the templates that there were at the start are compiled */
    PdfsService(Templates templates, TemplateRepository repository, PaperWorkers workers, long templatesBytesMax, Clock clock, Future<Void> ready) {
        this.templates = templates;
        this.repository = repository;
        this.workers = workers;
        this.templatesBytesMax = templatesBytesMax;
        this.clock = clock;
        this.ready = ready;
    }

    /** In the order of their document IDs. */
    Future<Map<String, CompiledTemplate>> list() {
        return ready.map(compiled -> templates.all());
    }

    /** @return the PDF */
    Future<byte[]> fill(String documentId, Map<String, String> given) {
        return ready.compose(compiled -> {
            CompiledTemplate template = templates.of(documentId).orElseThrow(PdfsError.TEMPLATE_NOT_FOUND::refusal);
            return workers.make(() -> Fill.fill(template, FieldValues.checked(template, given)));
        });
    }

    /** Room for a file that is uploaded; refuses with 503 when there is none. */
    TemplateFile begin() {
        if (uploads >= UPLOADS_MAX) {
            throw HttpError.OVERLOADED.refusal().retryAfter(1);
        }
        uploads++;
        return new TemplateFile(() -> uploads--);
    }

    /** Compiles a template and keeps it for every node; it takes the place of the one that the document had. */
    Future<CompiledTemplate> upload(String documentId, TemplateFile file, UUID by) {
        byte[] content = file.content();
        return ready.compose(compiled -> workers.make(() -> compiled(documentId, content)))
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
