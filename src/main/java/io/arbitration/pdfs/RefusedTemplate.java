package io.arbitration.pdfs;

/** A PDF that is no template, and why: a sentence that goes on after "the template". */
final class RefusedTemplate extends Exception {

    RefusedTemplate(String why) {
        super(why, null, false, false);
    }

    RefusedTemplate(String why, Throwable cause) {
        super(why, cause);
    }
}
