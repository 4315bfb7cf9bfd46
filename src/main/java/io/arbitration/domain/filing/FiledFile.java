package io.arbitration.domain.filing;

import io.arbitration.domain.FileId;
import java.util.Optional;

/**
 * A file of a filing. It belongs to this filing alone, and its place among the files is that in the list.
 *
 * @param title by which people know it
 * @param fileName as it was uploaded, made harmless
 * @param sha256 of its bytes, in lower-case hexadecimal
 * @param pages of a PDF; empty for other files
 * @param address where its bytes are kept
 */
public record FiledFile(
        FileId fileId, String title, String fileName, String contentType, long bytes, String sha256, Optional<Integer> pages, String address) {

    FiledFile titled(String newTitle) {
        return new FiledFile(fileId, newTitle, fileName, contentType, bytes, sha256, pages, address);
    }
}
