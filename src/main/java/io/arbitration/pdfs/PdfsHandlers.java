package io.arbitration.pdfs;

import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.listing.PageByKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.UploadHandler;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.telemetry.DiskProbe;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The operations under {@code /templates}. */
final class PdfsHandlers implements UploadHandler<TemplateFile> {

    private static final int DISK_RETRY_SECONDS = 60;

    private final PdfsService service;
    private final DiskProbe disk;

    PdfsHandlers(PdfsService service, DiskProbe disk) {
        this.service = service;
        this.disk = disk;
    }

    Future<Reply> list(Call call) {
        PageByKey.Wanted wanted = PageByKey.Wanted.of(call);
        return service.list().map(templates -> wanted.page(List.copyOf(templates.entrySet()), Map.Entry::getKey)
                .reply("templates", template -> json(template.getKey(), template.getValue())));
    }

    private static JsonObject json(String documentId, CompiledTemplate template) {
        return new JsonObject().put("documentID", documentId)
                .put("placeholders", new JsonArray(template.fields().values().stream().map(PdfsHandlers::json).toList()));
    }

    private static JsonObject json(FormField field) {
        JsonObject placeholder = new JsonObject().put("name", field.name()).put("type", field.type());
        if (field instanceof FormField.Text text && text.maxLength().isPresent()) {
            placeholder.put("maxLength", text.maxLength().getAsInt());
        }
        return placeholder;
    }

    Future<Reply> fill(Call call) {
        Map<String, String> values = new LinkedHashMap<>();
        call.body().getJsonObject("placeholders", new JsonObject()).forEach(value -> values.put(value.getKey(), (String) value.getValue()));
        String documentId = call.text("documentID");
        return service.fill(ClientNetwork.of(call.remoteAddress()), documentId, values).map(pdf -> new Reply(200, "application/pdf", Buffer.buffer(pdf), Map.of())
                .withHeader("Content-Disposition", "inline; filename=\"%s.pdf\"".formatted(documentId)));
    }

    @Override
    public Future<TemplateFile> begin(Call soFar, boolean complete, FormPart part) {
        return disk.hasSpace().map(hasSpace -> {
            if (!hasSpace) {
                throw PdfsError.DISK.refusal(disk.freeBytesMin()).retryAfter(DISK_RETRY_SECONDS);
            }
            return service.begin(soFar.caller().id());
        });
    }

    @Override
    public Future<Reply> complete(Call call, TemplateFile file) {
        String documentId = call.text("documentID");
        return service.upload(documentId, file, call.caller().id()).map(template -> Reply.json(json(documentId, template)));
    }
}
