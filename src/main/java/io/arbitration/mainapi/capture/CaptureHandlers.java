package io.arbitration.mainapi.capture;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.UserField;
import io.arbitration.platform.browser.PageFailure;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.limits.RateLimitSettings;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.RateLimits;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations under {@code /service-of-notice/attachments}: pictures of web pages for the mails of a service of notice. */
public final class CaptureHandlers {

    private static final int RETRY_SECONDS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(CaptureHandlers.class);

    private final Pages pages;
    private final Definitions definitions;
    private final RateLimiter rate;
    private final Bulkhead bulkhead;

    public CaptureHandlers(Pages pages, Definitions definitions, RateLimits rates, RateLimitSettings limits) {
        this.pages = pages;
        this.definitions = definitions;
        this.rate = rates.limiter("capture", limits.capturesPerMinute(), Duration.ofMinutes(1));
        // How many the node takes is the browser's to say; here is what one caller may have of it.
        this.bulkhead = Bulkhead.ofCallers(limits.capturesPerCaller(),
                () -> CaptureError.BUSY_OF_CALLER.refusal(limits.capturesPerCaller()).retryAfter(RETRY_SECONDS));
    }

    public void bind(Contract contract) {
        contract.bind("createNoticeAttachment", this::create);
    }

    private Future<Reply> create(Call call) {
        MailType mailType = definitions.mailType(call.text("mailType")).orElseThrow(CaptureError.MAIL_TYPE_NOT_FOUND::refusal);
        UserField area = mailType.attachmentArea().orElseThrow(CaptureError.NO_ATTACHMENTS::refusal);
        rate.admit(call.caller().id());
        String url = call.text("url");
        return bulkhead.run(call.caller().id(), () -> pages.picture(url.strip(), area.pixelWidth(), area.pixelHeight()))
                .map(png -> new Reply(200, "image/png", png, Map.of("Content-Disposition", "inline; filename=\"%s.png\"".formatted(area.id()))))
                .recover(failed -> {
                    if (failed instanceof PageFailure) {
                        LOG.info("request {}: a page was not captured: {}", call.requestId(), failed.getMessage());
                        return Future.failedFuture(CaptureError.NOT_LOADED.refusal());
                    }
                    return Future.failedFuture(failed);
                });
    }
}
