package io.arbitration.platform.objects;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of an object: {@code file|s3|gs://bucket/path}.
 *
 * @param path one or more segments, none of them empty, {@code .} or {@code ..}, at most {@value #PATH_BYTES_MAX} bytes of
 *     UTF-8, without control characters and backslashes
 */
public record ObjectAddress(Bucket bucket, String path) {

    static final int PATH_BYTES_MAX = 900;
    private static final Pattern FORM = Pattern.compile("([a-z0-9]{2,4}://[^/]+)/(.+)", Pattern.DOTALL);

    public ObjectAddress {
        if (!isPath(path)) {
            throw new IllegalArgumentException("not the path of an object");
        }
    }

    /** Empty for a text that is no such address, whether or not its bucket is configured. */
    public static Optional<ObjectAddress> parse(String text) {
        var matched = FORM.matcher(text);
        if (!matched.matches() || !isPath(matched.group(2))) {
            return Optional.empty();
        }
        return Bucket.parse(matched.group(1)).map(bucket -> new ObjectAddress(bucket, matched.group(2)));
    }

    private static boolean isPath(String path) {
        if (path.isEmpty() || path.length() > PATH_BYTES_MAX
                || path.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > PATH_BYTES_MAX
                || path.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')) {
            return false;
        }
        for (String segment : path.split("/", -1)) {
            // The longest file name has 255 bytes.
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.equals(FolderStore.INCOMING)
                    || segment.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > 255) {
                return false;
            }
        }
        return true;
    }

    /** The address as text. */
    @Override
    public String toString() {
        return bucket + "/" + path;
    }
}
