package io.arbitration.pdfs;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.paper.PaperWorkers;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PDFs area: templates and filled forms. */
public final class PdfsVerticle extends AreaVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(PdfsVerticle.class);

    private final AreaServices services;
    private final PdfsSettings settings;
    private UploadedTemplates uploaded;

    public PdfsVerticle(AreaServices services, PdfsSettings settings) {
        super("pdfs");
        this.services = services;
        this.settings = settings;
    }

    @Override
    protected Future<List<Contract>> open() {
        PaperWorkers workers = new PaperWorkers(vertx, settings.queueMax());
        Templates templates = new Templates();
        TemplateRepository repository = new TemplateRepository(services.database());
        uploaded = new UploadedTemplates(vertx, repository, templates, workers);
        LazyPreparation preparation = new LazyPreparation(vertx.getOrCreateContext(), () -> prepare(workers, templates));
        PdfsHandlers handlers = new PdfsHandlers(
                new PdfsService(templates, repository, workers, settings.templatesBytesMax(), services.clock(), preparation::done), services.disk());
        return Future.succeededFuture(List.of(Contract.read("pdfs")
                .bind("listPdfTemplates", handlers::list)
                .bind("fillPdfTemplate", handlers::fill)
                .bindUpload("uploadPdfTemplate", settings.templateBytesMax(), handlers)));
    }

    /** Never fails: templates that cannot be read are skipped, and uploaded templates are searched for again later. */
    private Future<Void> prepare(PaperWorkers workers, Templates templates) {
        return workers.<Void>make(() -> {
            ShippedTemplates.compile(settings.templatesFolder(), settings.templateBytesMax(), templates);
            return null;
        }).compose(shipped -> uploaded.loadNew()).recover(failed -> {
            LOG.warn("not all templates could be read; uploaded ones are looked for again", failed);
            return Future.succeededFuture();
        }).onComplete(done -> uploaded.start(services.notifications()));
    }

    @Override
    public Future<?> stop() {
        return uploaded == null ? Future.succeededFuture() : uploaded.stop();
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
