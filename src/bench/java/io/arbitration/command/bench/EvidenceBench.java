package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Uploads and downloads of evidence against a bare server that copies the same bytes to and from a file. */
@Command(name = "evidence", description = "Uploads and downloads against a bare HTTP server and file.", mixinStandardHelpOptions = true)
final class EvidenceBench extends TransferBench {

    private static final String START = "%PDF-1.7\n";

    @Override
    String upload() {
        return "/api/evidence/uploads/create";
    }

    @Override
    String download() {
        return "/api/evidence/uploads/download";
    }

    @Override
    List<byte[]> beginnings(URI server, OpenCase open, Size size) {
        StringBuilder form = new StringBuilder();
        Map.of("caseID", open.id(), "categoryID", "other", "description", "").forEach((name, value) -> form.append("--").append(BOUNDARY)
                .append("\r\nContent-Disposition: form-data; name=\"").append(name).append("\"\r\n\r\n").append(value).append("\r\n"));
        byte[] before = form.append("--").append(BOUNDARY)
                .append("\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\n").append(START)
                .toString().getBytes(StandardCharsets.US_ASCII);
        return Collections.nCopies(size.files(), before);
    }

    @Override
    byte[] end(Size size) {
        return ("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    long fileBytes(Size size) {
        return size.bytes() + START.length();
    }

    @Override
    JsonObject named(OpenCase open, int file, JsonObject uploaded) {
        return new JsonObject().put("caseID", open.id()).put("uploadID", uploaded.getString("uploadID"));
    }

    @Override
    String barePathUp() {
        return "/store/";
    }

    @Override
    String barePathDown() {
        return "/copy/";
    }

    @Override
    double ratioMin() {
        return 0.8;
    }

    @Override
    double downloadRatioMin() {
        return 0.9;
    }
}
