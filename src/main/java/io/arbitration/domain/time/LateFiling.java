package io.arbitration.domain.time;

/** The rule about late filings: the consequence for a filing that is submitted after its deadline. {@link Deadline} applies it. */
public enum LateFiling {
    /** The filing is refused. */
    REFUSE("refuse"),
    /** The filing is accepted and marked as late. */
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
