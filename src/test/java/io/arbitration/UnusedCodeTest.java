package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nothing of the product stands there for nobody: what is declared is named somewhere else, too. */
class UnusedCodeTest {

    private static final Pattern NAME = Pattern.compile("\\w+");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface) (\\w+)");
    private static final Pattern CONSTANT = Pattern.compile(" static final .*? (\\w+) =");
    private static final Pattern METHOD = Pattern.compile(
            "(?m)^(.*)\\n {4,12}(?!(?:new|return|throw|yield|else)\\b)(?:(?:public|protected|private|static|final|synchronized|default|abstract) )*(?:<[^>]+> )?[\\w.]+(?:<.*>)?(?:\\[])? (\\w+)\\(");

    @Test
    void whateverIsDeclaredIsUsed() throws IOException {
        Map<Path, String> sources = new HashMap<>();
        try (Stream<Path> all = Files.walk(Path.of("src"))) {
            for (Path file : all.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.put(file, withoutComments(file));
            }
        }
        Map<String, Integer> times = new HashMap<>();
        sources.values().forEach(text -> NAME.matcher(text).results().forEach(name -> times.merge(name.group(), 1, Integer::sum)));
        List<String> unused = new ArrayList<>();
        sources.forEach((file, text) -> {
            if (file.startsWith("src/main")) {
                declared(text).filter(name -> times.get(name) == 1).forEach(name -> unused.add(file + ": " + name));
            }
        });
        assertThat(unused).isEmpty();
    }

    /** Without what an annotation or a library calls: what overrides, and the version of what could be serialized. */
    private static Stream<String> declared(String text) {
        Stream<String> methods = METHOD.matcher(text).results().filter(method -> !method.group(1).strip().startsWith("@")).map(method -> method.group(2));
        Stream<String> others = Stream.of(TYPE, CONSTANT).map(pattern -> pattern.matcher(text)).flatMap(Matcher::results).map(one -> one.group(1));
        return Stream.concat(methods, others).filter(name -> !name.equals("serialVersionUID"));
    }

    private static String withoutComments(Path file) throws IOException {
        StringBuilder code = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            String start = line.stripLeading();
            if (!start.startsWith("*") && !start.startsWith("/*") && !start.startsWith("//") && !start.startsWith("import ")) {
                code.append(line).append('\n');
            }
        }
        return code.toString();
    }
}
