package io.arbitration.mainapi.capture;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.Map;

/** The operations under {@code /service-of-notice/attachments}: pictures of web pages for the mails of a service of notice. */
public final class CaptureHandlers {

    private final CaptureService service;

    public CaptureHandlers(CaptureService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("createNoticeAttachment", this::create);
    }

    private Future<Reply> create(Call call) {
        return service.capture(call.text("mailType"), call.text("url"), call.caller().id(), call.requestId()).map(CaptureHandlers::reply);
    }

    private static Reply reply(CaptureService.Capture capture) {
        return new Reply(200, "image/png", capture.png(), Map.of("Content-Disposition", "inline; filename=\"%s.png\"".formatted(capture.fieldId())));
    }
}
