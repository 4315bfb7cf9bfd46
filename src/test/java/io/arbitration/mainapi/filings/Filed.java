package io.arbitration.mainapi.filings;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;

/** The files of filings of a case, as its people handle them. */
public record Filed(OpenCase open) {

    public static final String UPLOAD = "/api/filings/files/upload";
    public static final String PDF = "application/pdf";

    public Form form(String filingId) {
        return new Form().field("caseID", open.caseId()).field("filingID", filingId);
    }

    public Answer upload(Person by, String filingId, String name, byte[] content, String... headers) {
        return post(by, form(filingId).file(name, PDF, content), headers);
    }

    public Answer post(Person by, Form form, String... headers) {
        return open.platform().post(UPLOAD, HttpRequest.BodyPublishers.ofByteArray(form.bytes()), Form.CONTENT_TYPE, by.token(), headers);
    }

    /** The record of a file that must be taken. */
    public JsonObject taken(Person by, String filingId, String name, byte[] content) {
        Answer answer = upload(by, filingId, name, content);
        if (answer.status() != 200) {
            throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
        }
        return answer.object();
    }

    public Answer on(String operation, Person by, String filingId, JsonObject more, String... headers) {
        return open.platform().post("/api/filings/files/" + operation, more.copy().put("caseID", open.caseId()).put("filingID", filingId), by.token(), headers);
    }

    public JsonArray list(Person by, String filingId) {
        return on("list", by, filingId, new JsonObject()).object().getJsonArray("files");
    }

    public static JsonObject file(String fileId) {
        return new JsonObject().put("fileID", fileId);
    }
}
