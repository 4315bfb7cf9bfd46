package io.arbitration.platform.body;

/** The position of a value in a request body: a chain of member names and indexes, formatted only for a refusal. */
record Place(Place parent, Object step) {

    static final Place BODY = new Place(null, "");
    private static final int LENGTH_MAX = 200;

    Place member(String name) {
        return new Place(this, name);
    }

    Place item(int index) {
        return new Place(this, index);
    }

    /** {@code body}, {@code title} or, as a JSON pointer (RFC 6901) without its first slash, {@code fields/claimAmount}. */
    @Override
    public String toString() {
        if (parent == null) {
            return "body";
        }
        StringBuilder text = new StringBuilder();
        append(text);
        return text.length() <= LENGTH_MAX ? text.toString() : text.substring(0, LENGTH_MAX) + "…";
    }

    private void append(StringBuilder text) {
        if (parent.parent != null) {
            parent.append(text);
            text.append('/');
        }
        // A name comes from the request: characters that would be unreadable in an answer or a log are not repeated.
        String.valueOf(step).replace("~", "~0").replace("/", "~1").codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .forEach(text::appendCodePoint);
    }
}
