package io.arbitration.mainapi.capture;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.UserField;
import io.arbitration.platform.browser.PageFailure;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.limits.RateLimitSettings;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Captures web pages in the size of a mail type's image; bounds the rate and the number of concurrent captures of a caller. */
public final class CaptureService {

    private static final int RETRY_SECONDS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(CaptureService.class);

    private final Pages pages;
    private final Definitions definitions;
    private final RateLimiter rate;
    private final Bulkhead bulkhead;

    public CaptureService(Pages pages, Definitions definitions, SharedRateLimiters rates, RateLimitSettings limits) {
        this.pages = pages;
        this.definitions = definitions;
        this.rate = rates.limiter("capture", limits.capturesPerMinute(), Duration.ofMinutes(1));
        // The queue of the browser bounds the captures of the node; this bulkhead bounds a caller's share of it.
        this.bulkhead = Bulkhead.ofCallers(limits.capturesPerCaller(),
                () -> CaptureError.BUSY_OF_CALLER.refusal(limits.capturesPerCaller()).retryAfter(RETRY_SECONDS));
    }

    /** A picture for a field of a mail type. */
    record Capture(String fieldId, Buffer png) {}

    Future<Capture> capture(String mailTypeId, String url, UUID caller, String requestId) {
        MailType mailType = definitions.mailType(mailTypeId).orElseThrow(CaptureError.MAIL_TYPE_NOT_FOUND::refusal);
        UserField area = mailType.attachmentArea().orElseThrow(CaptureError.NO_ATTACHMENTS::refusal);
        rate.admit(caller);
        return bulkhead.run(caller, () -> pages.picture(WorkOwner.now().map(WorkOwner::tenant).orElse(caller), url.strip(), area.pixelWidth(), area.pixelHeight()))
                .map(png -> new Capture(area.id(), png))
                .recover(failed -> Future.failedFuture(failed instanceof PageFailure ? notLoaded(requestId, failed) : failed));
    }

    private static Throwable notLoaded(String requestId, Throwable failed) {
        LOG.info("request {}: a page was not captured: {}", requestId, failed.getMessage());
        return CaptureError.NOT_LOADED.refusal();
    }
}
