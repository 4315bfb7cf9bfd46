package io.arbitration.platform.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PDFs on a machine without a font and without the fontconfig library: a process whose file system hides them. */
class FontlessMachineIT {

    private static final String TEXT = "Latin, Ελληνικά, Русский, עברית, العربية, 中文";

    @TempDir
    private Path folder;

    /** What the process does. */
    public static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Files.write(Path.of(arguments[0]), new Paper().text(TEXT, new Paper.Look(12, false, 0)).bytes("Title", Instant.EPOCH, (page, pages) -> ""));
        }
    }

    private static List<String> hidden() throws IOException {
        try (Stream<Path> libraries = Files.walk(Path.of("/usr/lib"), 2)) {
            return libraries.filter(file -> file.getFileName().toString().startsWith("libfontconfig.so") && !Files.isSymbolicLink(file))
                    .map(Path::toString).toList();
        }
    }

    @Test
    void textFallsBackToTheFontThatIsBundledAndSaysWhatItLacks() throws Exception {
        Path pdf = folder.resolve("text.pdf");
        String script = Stream.concat(
                Stream.of("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts").filter(path -> Files.isDirectory(Path.of(path)))
                        .map("mount -t tmpfs none %s"::formatted),
                hidden().stream().map("mount --bind /dev/null %s"::formatted)).collect(Collectors.joining(" && "));
        Process hiding = new ProcessBuilder("unshare", "-r", "-m", "sh", "-c", script).redirectErrorStream(true).start();
        assumeTrue(hiding.waitFor() == 0, "skipped: nothing can be hidden from a process here");
        String java = "'%s' -cp '%s' '%s' '%s'".formatted(Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"), Writer.class.getName(), pdf);
        Process process = new ProcessBuilder("unshare", "-r", "-m", "sh", "-c", script + " && " + java).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        try (PDDocument document = Loader.loadPDF(Files.readAllBytes(pdf))) {
            String text = new PDFTextStripper().getText(document);
            assertThat(text).contains("Latin, Ελληνικά, Русский", "中文", "This server has no font for 9 of the characters above");
        }
    }
}
