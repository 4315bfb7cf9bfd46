package io.arbitration.domain.time;

/** The rule about late filings: what happens to a filing that is submitted after its deadline. {@link Deadline} applies it. */
public enum LateFiling {
    /** It is not taken. */
    REFUSE("refuse"),
    /** It is taken and marked as late. */
    MARK("mark");

    private final String wireName;

    LateFiling(String wireName) {
        this.wireName = wireName;
    }

    /** The name in the definition files. */
    public String wireName() {
        return wireName;
    }
}
