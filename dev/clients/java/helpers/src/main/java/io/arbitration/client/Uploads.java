package io.arbitration.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.arbitration.client.model.EvidenceUpload;
import io.arbitration.client.model.FilingFile;
import io.arbitration.client.model.PdfTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The operations that take a file, for files of any size: read while they are sent, with progress, and from their beginning again when the
 * call is repeated. The methods of the API classes with the same names are for small files. Thread-safe.
 */
public final class Uploads {

    /** From the beginning of an attempt to its answer. */
    private static final Duration ATTEMPT_MAX = Duration.ofHours(1);
    private static final UploadOptions NONE = new UploadOptions();

    private final HttpClient client;
    private final ObjectMapper mapper;
    private final String url;

    /** Uploads to a platform, as its credentials say. */
    public Uploads(Platform platform) {
        this.client = platform.getHttpClient();
        this.mapper = platform.getObjectMapper();
        this.url = platform.getBaseUri();
    }

    /** Uploads an exhibit. */
    public EvidenceUpload createEvidenceUpload(String caseID, String categoryID, String description, Path file) throws ApiException {
        return createEvidenceUpload(caseID, categoryID, description, file, NONE);
    }

    /** Uploads an exhibit. */
    public EvidenceUpload createEvidenceUpload(String caseID, String categoryID, String description, Path file, UploadOptions options)
            throws ApiException {
        return send("/api/evidence/uploads/create", fields("caseID", caseID, "categoryID", categoryID, "description", description),
                file, options, EvidenceUpload.class);
    }

    /** Adds a file to a filing, with its name as title. */
    public FilingFile uploadFilingFile(String caseID, String filingID, Path file) throws ApiException {
        return uploadFilingFile(caseID, filingID, null, file, NONE);
    }

    /**
     * Adds a file to a filing.
     *
     * @param title null: the file's name
     */
    public FilingFile uploadFilingFile(String caseID, String filingID, String title, Path file, UploadOptions options) throws ApiException {
        return send("/api/filings/files/upload", fields("caseID", caseID, "filingID", filingID, "title", title), file, options, FilingFile.class);
    }

    /** Replaces a file of a docket entry by a redacted one. */
    public FilingFile redactDocketEntry(String caseID, String entryID, String fileID, String reason, Path file) throws ApiException {
        return redactDocketEntry(caseID, entryID, fileID, reason, file, NONE);
    }

    /** Replaces a file of a docket entry by a redacted one. */
    public FilingFile redactDocketEntry(String caseID, String entryID, String fileID, String reason, Path file, UploadOptions options)
            throws ApiException {
        return send("/api/docket/entries/redact", fields("caseID", caseID, "entryID", entryID, "fileID", fileID, "reason", reason),
                file, options, FilingFile.class);
    }

    /** Uploads a PDF form as the template of a document type. */
    public PdfTemplate uploadPdfTemplate(String documentID, Path file) throws ApiException {
        return uploadPdfTemplate(documentID, file, NONE);
    }

    /** Uploads a PDF form as the template of a document type. */
    public PdfTemplate uploadPdfTemplate(String documentID, Path file, UploadOptions options) throws ApiException {
        return send("/pdfs/templates/upload", fields("documentID", documentID), file, options, PdfTemplate.class);
    }

    private static Map<String, String> fields(String... namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private <T> T send(String path, Map<String, String> fields, Path file, UploadOptions options, Class<T> answered) throws ApiException {
        try {
            FileForm form = new FileForm(fields, file, options);
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(ATTEMPT_MAX)
                    .header("Accept", "application/json").header("Content-Type", form.contentType()).POST(form);
            if (options.idempotencyKey() != null) {
                request.header("Idempotency-Key", options.idempotencyKey());
            }
            if (options.ifMatch() != null) {
                request.header("If-Match", options.ifMatch());
            }
            HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            String body;
            try (InputStream read = ApiClient.getResponseBody(answer)) {
                body = read == null ? "" : new String(read.readAllBytes(), StandardCharsets.UTF_8);
            }
            if (answer.statusCode() / 100 != 2) {
                throw PlatformException.of(answer.statusCode(), answer.headers(), body);
            }
            return mapper.readValue(body, answered);
        } catch (IOException failed) {
            throw PlatformException.of(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(interrupted);
        }
    }
}
