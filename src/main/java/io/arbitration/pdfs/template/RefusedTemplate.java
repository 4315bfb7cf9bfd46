package io.arbitration.pdfs.template;

/** A PDF that is no template, with the reason: the end of a sentence that begins with "the template". */
public final class RefusedTemplate extends Exception {

    public RefusedTemplate(String why) {
        super(why, null, false, false);
    }

    public RefusedTemplate(String why, Throwable cause) {
        super(why, cause);
    }
}
