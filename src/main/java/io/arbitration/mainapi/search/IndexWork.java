package io.arbitration.mainapi.search;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.reading.ObjectReader;
import io.arbitration.platform.reading.Reading;
import io.arbitration.platform.reading.Unreadable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Indexes due sources: reads the text of files, and splits all texts into words. */
final class IndexWork implements ItemHandler<IndexSource, IndexOutcome> {

    /**
     * Leases are extended while files are read, so that they can be short, and another node soon indexes the claims of a dead
     * node.
     */
    static final LeaseQueue.Terms TERMS = new LeaseQueue.Terms("search", Duration.ofSeconds(60), true, false);
    /** The lines that mark the pages in the text of a PDF. They are not part of the document, so they are removed. */
    private static final Pattern PAGE = Pattern.compile("(?m)^\\[page [0-9]+( is a picture)?]$");
    private static final Logger LOG = LoggerFactory.getLogger(IndexWork.class);

    private final Vertx vertx;
    private final ObjectReader reader;
    private final GivingWay givingWay;
    private final Backoff backoff;
    private final RandomGenerator random;

    IndexWork(Vertx vertx, ObjectReader reader, GivingWay givingWay, RandomGenerator random) {
        this.vertx = vertx;
        this.reader = reader;
        this.givingWay = givingWay;
        this.random = random;
        this.backoff = Backoff.endless(random);
    }

    @Override
    public boolean mayBegin() {
        return givingWay.mayBegin();
    }

    @Override
    public Future<IndexOutcome> attempt(IndexSource source) {
        if (source.content().isEmpty()) {
            return Future.succeededFuture(new IndexOutcome.Gone(source));
        }
        IndexSource.Content content = source.content().get();
        UUID documentId = Identifiers.random(random);
        return content.file().map(file -> read(source, file)).orElseGet(() -> Future.succeededFuture(""))
                .compose(ofFile -> vertx.executeBlocking(() -> {
                    String text = ofFile.isEmpty() ? content.text() : content.text() + "\n" + ofFile;
                    return (IndexOutcome) new IndexOutcome.Indexed(source, documentId, SearchTexts.of(source.caseId(), content.title(), text),
                            content.file().isEmpty() || !ofFile.isBlank());
                }, false))
                .recover(failed -> failed instanceof ObjectFailure
                        ? Future.succeededFuture(new IndexOutcome.Again(source, backoff.pause(source.lease().attempts() + 1, Duration.ZERO).orElseThrow()))
                        : Future.failedFuture(failed));
    }

    /** The text of a file; empty if it has none. A file that cannot be read is found only by its name and title. */
    private Future<String> read(IndexSource source, IndexSource.StoredFile file) {
        return reader.read(ObjectAddress.parse(file.address()).orElseThrow(), Optional.of(new Fingerprint(file.bytes(), file.sha256(), file.blockHashes())),
                        file.contentType())
                .map(reading -> reading.pages().isEmpty() ? reading.text() : PAGE.matcher(reading.text()).replaceAll(""))
                .recover(failed -> {
                    if (failed instanceof Unreadable unreadable) {
                        LOG.info("search: the text of {} {} is not indexed: {}", source.kind().text(), source.ref(), unreadable.getMessage());
                        return Future.succeededFuture("");
                    }
                    return Future.failedFuture(failed);
                });
    }
}
