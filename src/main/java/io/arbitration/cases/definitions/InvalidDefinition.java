package io.arbitration.cases.definitions;

import io.arbitration.platform.StartFailure;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The definition files cannot be used; the message has a line for each problem.
 *
 * <p>A line reads {@code documents/motion.yaml: /sections/0/fields/2/type (line 14): is not one of …}.
 */
public final class InvalidDefinition extends StartFailure {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * A problem.
     *
     * @param file relative to the folder of definitions
     * @param place a JSON pointer, empty for the file as a whole
     * @param line in the file, from 1; 0 where there is none
     * @param reason the end of a sentence about that position
     */
    public record Problem(String file, String place, int line, String reason) {
        @Override
        public String toString() {
            String where = (place + (line > 0 ? " (line " + line + ")" : "")).strip();
            return file + ": " + (where.isEmpty() ? "" : where + ": ") + reason;
        }
    }

    InvalidDefinition(List<Problem> problems) {
        super(MISCONFIGURED, problems.stream().map(Problem::toString).collect(Collectors.joining("\n")), null);
        this.problems = List.copyOf(problems);
    }

    /** At least one, ordered by file. */
    public List<Problem> problems() {
        return problems;
    }
}
