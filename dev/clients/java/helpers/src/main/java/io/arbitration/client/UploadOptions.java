package io.arbitration.client;

import java.util.Objects;

/** What an upload may be told beside its fields and its file. */
public final class UploadOptions {

    private String fileName;
    private String contentType = "application/octet-stream";
    private String idempotencyKey;
    private String ifMatch;
    private Progress progress = (sent, total) -> { };

    /** The name that the platform is told; that of the path unless set. */
    public UploadOptions fileName(String name) {
        this.fileName = Objects.requireNonNull(name);
        return this;
    }

    /** The media type that is declared; {@code application/octet-stream}, which declares none, unless set. */
    public UploadOptions contentType(String type) {
        if (type.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("contentType: printable characters of ASCII");
        }
        this.contentType = type;
        return this;
    }

    /** The key of repetitions; a random one unless set. */
    public UploadOptions idempotencyKey(String key) {
        this.idempotencyKey = Objects.requireNonNull(key);
        return this;
    }

    /** The {@code ETag} of the filing's revision that is to be changed; any unless set. */
    public UploadOptions ifMatch(String etag) {
        this.ifMatch = Objects.requireNonNull(etag);
        return this;
    }

    /** Who is told how far the upload is. */
    public UploadOptions progress(Progress listener) {
        this.progress = Objects.requireNonNull(listener);
        return this;
    }

    String fileName() {
        return fileName;
    }

    String contentType() {
        return contentType;
    }

    String idempotencyKey() {
        return idempotencyKey;
    }

    String ifMatch() {
        return ifMatch;
    }

    Progress progress() {
        return progress;
    }
}
