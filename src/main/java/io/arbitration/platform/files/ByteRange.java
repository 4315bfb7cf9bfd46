package io.arbitration.platform.files;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a file that a request asks for. */
record ByteRange(long from, long length, boolean whole) {

    private static final Pattern FORM = Pattern.compile("(?i)bytes\\s*=\\s*(\\d{0,30})-(\\d{0,30})\\s*");

    /**
     * Reads {@code Range} and {@code If-Range} (RFC 9110, sections 14.2 and 13.1.5). A header that is malformed, has another
     * unit, or names several ranges is ignored, as the RFC allows: the answer is the complete file.
     *
     * @param entityTag of the file, in quotes
     * @return empty if the range lies outside of the file
     */
    static Optional<ByteRange> of(String range, String ifRange, String entityTag, long bytes) {
        ByteRange whole = new ByteRange(0, bytes, true);
        Matcher form = range == null ? null : FORM.matcher(range);
        if (form == null || !form.matches() || ifRange != null && !ifRange.equals(entityTag)) {
            return Optional.of(whole);
        }
        String first = form.group(1);
        String last = form.group(2);
        if (first.isEmpty() && last.isEmpty()) {
            return Optional.of(whole);
        }
        if (first.isEmpty()) {
            long suffix = Math.min(number(last), bytes);
            return suffix == 0 ? Optional.empty() : Optional.of(new ByteRange(bytes - suffix, suffix, false));
        }
        long from = number(first);
        long to = last.isEmpty() ? Long.MAX_VALUE : number(last);
        if (to < from) {
            return Optional.of(whole);
        }
        return from >= bytes ? Optional.empty() : Optional.of(new ByteRange(from, Math.min(to, bytes - 1) - from + 1, false));
    }

    /** A number beyond any file length becomes {@link Long#MAX_VALUE}. */
    private static long number(String digits) {
        return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    String contentRange(long bytes) {
        return "bytes %d-%d/%d".formatted(from, from + length - 1, bytes);
    }
}
