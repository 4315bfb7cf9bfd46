package io.arbitration;

import io.arbitration.RunningPlatform.Answer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/** A form with a file, as a client of the platform sends it; built part by part, in any order. */
public final class Form {

    public static final String BOUNDARY = "----form-boundary-7MA4YWxk";
    public static final String CONTENT_TYPE = "multipart/form-data; boundary=" + BOUNDARY;
    public static final String PATH = "/api/evidence/uploads/create";

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    public static Form of(String caseId, String categoryId, String description) {
        return new Form().field("caseID", caseId).field("categoryID", categoryId).field("description", description);
    }

    public Form field(String name, String value) {
        return part("Content-Disposition: form-data; name=\"%s\"".formatted(name), value.getBytes(StandardCharsets.UTF_8));
    }

    public Form file(String name, String contentType, byte[] content) {
        return part("Content-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: %s".formatted(name, contentType), content);
    }

    public Form file(String name, String contentType, String content) {
        return file(name, contentType, content.getBytes(StandardCharsets.UTF_8));
    }

    /** A part with a head as the test writes it. */
    public Form part(String head, byte[] content) {
        parts.writeBytes(("--" + BOUNDARY + "\r\n" + head + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        parts.writeBytes(content);
        parts.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** The whole body, with its last boundary. */
    public byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(parts.toByteArray());
        all.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return all.toByteArray();
    }

    public Answer post(RunningPlatform platform, String token, String... headers) {
        return postTo(platform, PATH, token, headers);
    }

    public Answer postTo(RunningPlatform platform, String path, String token, String... headers) {
        return platform.post(path, HttpRequest.BodyPublishers.ofByteArray(bytes()), CONTENT_TYPE, token, headers);
    }
}
