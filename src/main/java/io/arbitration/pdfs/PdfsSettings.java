package io.arbitration.pdfs;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;

/**
 * Templates of PDFs and their filling.
 *
 * @param templatesFolder holds PDFs with forms, each named by its document ID
 * @param templateBytesMax of a file that is uploaded
 * @param templatesBytesMax of memory that all templates may take
 * @param queueMax PDFs waiting for a thread to make them
 */
public record PdfsSettings(Path templatesFolder, int templateBytesMax, long templatesBytesMax, int queueMax) {

    public static PdfsSettings read(Configuration c, Path home) {
        return new PdfsSettings(c.optional("pdfs.templatesFolder").map(home::resolve).orElse(home.resolve("conf/templates/pdf")),
                c.whole("pdfs.templateBytesMax", 1024, 12_582_912), c.whole("pdfs.templatesBytesMax", 1_048_576L, 4_294_967_296L),
                c.whole("pdfs.queueMax", 1, 100_000));
    }
}
