package io.arbitration.pdfs;

import io.arbitration.pdfs.template.RefusedTemplate;
import io.arbitration.pdfs.template.TemplateCompiler;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads templates that were uploaded to any node: at each notification of a commit, and every few seconds. To be used on one
 * event loop.
 */
final class UploadedTemplates {

    private static final Logger LOG = LoggerFactory.getLogger(UploadedTemplates.class);
    private static final long LOOK_MILLIS = 5000;

    private final Vertx vertx;
    private final TemplateRepository repository;
    private final Templates templates;
    private final PaperWorkers workers;
    /** Hashes of uploads that this version of the platform does not accept as templates, each logged once. */
    private final Map<String, byte[]> left = new ConcurrentHashMap<>();
    private CommitNotifications.Registration notified;
    private long timer = -1;
    private Future<Void> loading = Future.succeededFuture();

    UploadedTemplates(Vertx vertx, TemplateRepository repository, Templates templates, PaperWorkers workers) {
        this.vertx = vertx;
        this.repository = repository;
        this.templates = templates;
        this.workers = workers;
    }

    void start(CommitNotifications notifications) {
        notified = notifications.on(TemplateRepository.CHANNEL, this::loadNewUnlessRunning);
        timer = vertx.setPeriodic(LOOK_MILLIS, due -> loadNewUnlessRunning());
    }

    Future<Void> stop() {
        vertx.cancelTimer(timer);
        return notified == null ? Future.succeededFuture() : notified.end();
    }

    private void loadNewUnlessRunning() {
        if (loading.isComplete()) {
            loadNew().onFailure(failed -> LOG.warn("looking for uploaded templates failed: {}", failed.getMessage()));
        }
    }

    /** Loads the uploads that this node does not have yet. */
    Future<Void> loadNew() {
        loading = repository.uploaded().compose(this::load);
        return loading;
    }

    private Future<Void> load(List<TemplateRepository.Uploaded> uploaded) {
        return SequentialWork.each(uploaded.stream().filter(one -> !isKnown(one)).toList(), this::load).mapEmpty();
    }

    private boolean isKnown(TemplateRepository.Uploaded one) {
        return templates.of(one.documentId()).filter(here -> Arrays.equals(here.hash(), one.sha256())).isPresent()
                || Arrays.equals(left.get(one.documentId()), one.sha256());
    }

    private Future<Void> load(TemplateRepository.Uploaded one) {
        return repository.file(one.documentId()).compose(file -> file.isEmpty() ? Future.<Void>succeededFuture() : workers.make(() -> {
            try {
                templates.put(one.documentId(), TemplateCompiler.compile(file.get()));
            } catch (RefusedTemplate refused) {
                left.put(one.documentId(), one.sha256());
                LOG.error("this node does not use the template of {}, because it {}", one.documentId(), refused.getMessage());
            }
            return null;
        }));
    }
}
