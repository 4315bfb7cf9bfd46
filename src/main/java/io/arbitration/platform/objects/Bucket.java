package io.arbitration.platform.objects;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bucket for objects, written {@code file://name}, {@code s3://name} or {@code gs://name}. */
public record Bucket(Scheme scheme, String name) {

    public enum Scheme { FILE, S3, GS }

    /** The form of a bucket in the configuration. */
    public static final String BOUND = "file://name, s3://name or gs://name; 2 to 63 lower case letters, digits, dots, dashes or underscores";

    private static final Pattern FORM = Pattern.compile("(file|s3|gs)://([a-z0-9][a-z0-9._-]{0,61}[a-z0-9])");

    /** Empty for a text that is no bucket. */
    public static Optional<Bucket> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new Bucket(Scheme.valueOf(form.group(1).toUpperCase(Locale.ROOT)), form.group(2)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return scheme.name().toLowerCase(Locale.ROOT) + "://" + name;
    }
}
