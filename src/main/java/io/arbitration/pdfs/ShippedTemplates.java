package io.arbitration.pdfs;

import io.arbitration.pdfs.template.RefusedTemplate;
import io.arbitration.pdfs.template.TemplateCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The templates in a folder: each a PDF with a form, named by its document ID. */
final class ShippedTemplates {

    static final Pattern DOCUMENT_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,35}");
    private static final Logger LOG = LoggerFactory.getLogger(ShippedTemplates.class);
    private static final String ENDING = ".pdf";
    private static final int FILES_MAX = 1000;

    private ShippedTemplates() {}

    /** Compiles the files in the folder; a file that is no template is skipped and logged. */
    static void compile(Path folder, long bytesMax, Templates into) {
        for (Path file : files(folder)) {
            String name = file.getFileName().toString();
            String documentId = name.substring(0, name.length() - ENDING.length());
            try {
                if (!DOCUMENT_ID.matcher(documentId).matches()) {
                    throw new RefusedTemplate("has a name that is no document ID");
                }
                if (Files.size(file) > bytesMax) {
                    throw new RefusedTemplate("is larger than %d bytes".formatted(bytesMax));
                }
                into.put(documentId, TemplateCompiler.compile(Files.readAllBytes(file)));
            } catch (RefusedTemplate refused) {
                LOG.error("{} is left out: the template {}", file, refused.getMessage());
            } catch (IOException unreadable) {
                LOG.error("{} is left out: {}", file, unreadable.toString());
            }
        }
    }

    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING)).sorted().limit(FILES_MAX).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
