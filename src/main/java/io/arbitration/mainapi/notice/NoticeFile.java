package io.arbitration.mainapi.notice;

import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import java.util.Locale;

/**
 * A stored file of a notice.
 *
 * @param fieldId of an image and its preview; null for others
 * @param width in pixels; null for what is no image, as is height
 */
record NoticeFile(Kind kind, String fieldId, String name, String contentType, Integer width, Integer height, Fingerprint fingerprint,
        ObjectAddress address) {

    /** What a file is for. */
    enum Kind {
        IMAGE, PREVIEW, LETTER, ENTRY;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }
}
