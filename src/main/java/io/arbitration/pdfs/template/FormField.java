package io.arbitration.pdfs.template;

import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A field of a template that takes a value. */
public sealed interface FormField {

    /** Fully qualified: the names from the root on, dots between. */
    String name();

    /** Its name for people. */
    String label();

    /** The value it has unless another is given; empty for none. */
    String initial();

    /** As templates are listed. */
    String type();

    /**
     * @param comb whether it has one cell for each character of the longest value
     * @param date the format of a date; empty if any text is accepted
     */
    record Text(
            String name, String label, String initial, List<Widget> widgets, boolean multiLine, boolean comb, boolean secret, OptionalInt maxLength,
            Optional<DateTimeFormatter> date) implements FormField {
        @Override
        public String type() {
            return date.isPresent() ? "date" : "text";
        }
    }

    /**
     * A check box or a set of radio buttons.
     *
     * @param exports further names of its states
     */
    record Toggle(String name, String label, String initial, List<Button> buttons, boolean radio, Map<String, String> exports) implements FormField {
        @Override
        public String type() {
            return radio ? "radio" : "checkbox";
        }
    }

    /**
     * @param on name of its state when it is on
     * @param drawnOn operators that draw it
     */
    record Button(int page, String on, byte[] drawnOn, byte[] drawnOff, int mark) {}

    /**
     * @param options what is shown, by the value
     * @param open whether other values are accepted, too
     * @param several whether a value may have several lines, each an option
     */
    record Choice(
            String name, String label, String initial, List<Widget> widgets, Map<String, String> options, boolean open, boolean several)
            implements FormField {
        @Override
        public String type() {
            return "choice";
        }
    }
}
