package io.arbitration.pdfs;

import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import java.util.Map;

/** Fills templates, and knows which there are. */
final class PdfsService {

    private final Templates templates;
    private final PaperWorkers workers;
    private final Future<Void> ready;

    /** @param ready when the templates that there were at the start are compiled */
    PdfsService(Templates templates, PaperWorkers workers, Future<Void> ready) {
        this.templates = templates;
        this.workers = workers;
        this.ready = ready;
    }

    Future<Map<String, CompiledTemplate>> list() {
        return ready.map(compiled -> templates.all());
    }

    /** @return the PDF */
    Future<byte[]> fill(String documentId, Map<String, String> given) {
        return ready.compose(compiled -> {
            CompiledTemplate template = templates.of(documentId).orElseThrow(PdfsError.TEMPLATE_NOT_FOUND::refusal);
            Map<String, String> shown = FieldValues.checked(template, given);
            return workers.make(() -> Fill.fill(template, shown));
        });
    }
}
