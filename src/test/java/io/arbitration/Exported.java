package io.arbitration;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The export of a case as somebody got it, read by the JDK's own reader of zips. */
public record Exported(byte[] zip, Map<String, byte[]> files) {

    public static Exported of(OpenCase open, Person by) {
        Answer answer = open.on("/cases/cases/export", by, new JsonObject());
        if (answer.status() != 200) {
            throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
        }
        return of(answer.response().body());
    }

    public static Exported of(byte[] zip) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (files.put(entry.getName(), in.readAllBytes()) != null) {
                    throw new IllegalStateException("twice: " + entry.getName());
                }
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return new Exported(zip, files);
    }

    public String text(String path) {
        return new String(files.get(path), StandardCharsets.UTF_8);
    }

    public JsonObject json(String path) {
        return new JsonObject(text(path));
    }
}
