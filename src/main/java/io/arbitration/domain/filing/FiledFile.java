package io.arbitration.domain.filing;

import io.arbitration.domain.FileId;
import java.util.Optional;

/**
 * A file of a filing. It belongs to this filing only; its position among the files is that in the list.
 *
 * @param title its name for people
 * @param fileName the name at the upload, without unsafe characters
 * @param sha256 of its bytes, in lower-case hexadecimal
 * @param pages of a PDF; empty for other files
 * @param address where its bytes are stored
 */
public record FiledFile(
        FileId fileId, String title, String fileName, String contentType, long bytes, String sha256, Optional<Integer> pages, String address) {

    FiledFile titled(String newTitle) {
        return new FiledFile(fileId, newTitle, fileName, contentType, bytes, sha256, pages, address);
    }
}
