package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page that is written from the code and kept with it, so that a change of the code shows in the page. */
public final class KeptPage {

    private KeptPage() {}

    /** Checks that the file says what the code says; with {@code -Dreference.write=true}, as {@code ./acp reference} sets it, writes it instead. */
    public static void check(Path file, String page) throws IOException {
        if (Boolean.getBoolean("reference.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, page);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "").as("%s is behind the code; ./acp reference writes it anew", file).isEqualTo(page);
    }

    /** Text as it stands in the cell of a table. */
    public static String cell(String text) {
        // In code a bracket stands for itself.
        StringBuilder cell = new StringBuilder();
        for (String part : text.replace("|", "\\|").replace("\n", " ").splitWithDelimiters("`[^`]*`", 0)) {
            cell.append(part.startsWith("`") ? part : part.replace("<", "&lt;"));
        }
        return cell.toString();
    }

    /** The same, as code. */
    public static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }
}
