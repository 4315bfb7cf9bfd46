package io.arbitration.domain.cases;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The problems with given values of fields. */
final class FieldProblems {
    private static final int UNKNOWN_FIELDS_NAMED_MAX = 20;
    private static final int UNKNOWN_FIELD_CHARACTERS_MAX = 64;

    private FieldProblems() {
    }

    /**
     * One sentence each ({@code fields/claimAmount: is required}), in the order of the fields; then the first twenty unknown
     * fields by name.
     *
     * @param place where the values are in the request
     * @param id of the object that has the fields
     * @param complete whether required fields must be filled
     */
    static List<String> of(String place, Collection<Field> fields, String id, Map<String, Object> values, boolean complete) {
        List<String> problems = new ArrayList<>();
        for (Field field : fields) {
            if (values.containsKey(field.id()) && values.get(field.id()) == null) {
                problems.add(place + "/" + field.id() + ": must not be null");
            } else {
                field.problem(values.get(field.id()), complete)
                        .ifPresent(problem -> problems.add(place + "/" + field.id() + ": " + problem));
            }
        }
        Set<String> known = fields.stream().map(Field::id).collect(Collectors.toSet());
        values.keySet().stream()
                .filter(fieldID -> !known.contains(fieldID))
                .limit(UNKNOWN_FIELDS_NAMED_MAX)
                .forEach(fieldID -> problems.add(place + "/" + shortened(fieldID) + ": no such field in " + id));
        return problems;
    }

    /** The name is text of the caller: an answer repeats only as much of it as a reader needs. */
    static String shortened(String fieldID) {
        return fieldID.codePointCount(0, fieldID.length()) <= UNKNOWN_FIELD_CHARACTERS_MAX
                ? fieldID
                : fieldID.substring(0, fieldID.offsetByCodePoints(0, UNKNOWN_FIELD_CHARACTERS_MAX)) + "…";
    }
}
