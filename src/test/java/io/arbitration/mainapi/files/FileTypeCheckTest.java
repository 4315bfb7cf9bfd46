package io.arbitration.mainapi.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.mainapi.evidence.SampleFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Real beginnings of files against what is declared of them. */
class FileTypeCheckTest {

    private static final List<EvidenceType> EVIDENCE = DefinitionsLoader.load(Path.of("conf/definitions")).evidence();

    /** A category that takes everything the shipped ones take, and what a deployment may add. */
    private static final EvidenceType ANY = new EvidenceType("any", "Any", java.util.stream.Stream.concat(
            EVIDENCE.stream().flatMap(type -> type.contentTypes().stream()).distinct(),
            java.util.stream.Stream.of("application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/msword",
                    "image/svg+xml")).distinct().toList());

    /** File, its name, what is declared (- for nothing), and under which type it is kept or why not. */
    private static final String TABLE = """
            pdf    a.pdf   application/pdf     application/pdf
            pdf    a.pdf   -                   application/pdf
            pdf    a.pdf   application/octet-stream application/pdf
            pdf    a.txt   application/pdf     mismatch
            pdf    a.PNG   -                   mismatch
            pdf    a.docx  application/pdf     mismatch
            pdf    C-1.2   application/pdf     application/pdf
            pdf    a.old   application/pdf     application/pdf
            text   a.html  text/plain          mismatch
            text   a.eml   text/plain          text/plain
            pdf    a.pdf   APPLICATION/PDF;x=y application/pdf
            pdf    a.pdf   text/plain          mismatch
            pdf    a.png   image/png           mismatch
            png    a.png   image/png           image/png
            png    a.jpg   image/jpeg          mismatch
            png    a       -                   image/png
            jpeg   a.jpg   image/jpeg          image/jpeg
            webp   a.webp  image/webp          image/webp
            tiff   a.tif   image/tiff          image/tiff
            text   a.txt   text/plain          text/plain
            text   a       -                   text/plain
            text   a.txt   text/plain;charset=utf-8 text/plain
            latin  a.txt   text/plain          text/plain
            utf16  a.txt   text/plain          text/plain
            text   a.csv   text/csv            text/csv
            csv    a.csv   text/csv            text/csv
            csv    a.csv   -                   text/csv
            json   a.json  application/json    application/json
            json   a.json  -                   application/json
            json   a.txt   text/plain          text/plain
            text   a.pdf   application/pdf     mismatch
            html   a.html  text/html           text/html
            html   a.txt   text/plain          mismatch
            html   a.pdf   application/pdf     mismatch
            svg    a.svg   image/svg+xml       image/svg+xml
            svg    a.txt   text/plain          mismatch
            svg    a.png   image/png           mismatch
            eml    a.eml   message/rfc822      message/rfc822
            docx   a.docx  application/vnd.openxmlformats-officedocument.wordprocessingml.document application/vnd.openxmlformats-officedocument.wordprocessingml.document
            docx   a.docx  -                   application/vnd.openxmlformats-officedocument.wordprocessingml.document
            docx   a.xlsx  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet mismatch
            xlsx   a.xlsx  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
            xlsx   a.docx  application/vnd.openxmlformats-officedocument.wordprocessingml.document mismatch
            pptx   a.pptx  application/vnd.openxmlformats-officedocument.presentationml.presentation application/vnd.openxmlformats-officedocument.presentationml.presentation
            zip    a.docx  application/vnd.openxmlformats-officedocument.wordprocessingml.document mismatch
            zip    a.zip   application/zip     application/zip
            zip    a.zip   -                   application/zip
            docx   a.zip   application/zip     application/zip
            doc    a.doc   application/msword  application/msword
            mp3    a.mp3   audio/mpeg          audio/mpeg
            mp3raw a.mp3   audio/mpeg          audio/mpeg
            wav    a.wav   audio/wav           audio/wav
            wav    a.wav   audio/x-wav         audio/x-wav
            ogg    a.ogg   audio/ogg           audio/ogg
            mp4    a.mp4   video/mp4           video/mp4
            mp4    a.m4a   audio/mp4           audio/mp4
            m4a    a.m4a   audio/mp4           audio/mp4
            mov    a.mov   video/quicktime     video/quicktime
            webm   a.webm  video/webm          video/webm
            zeros  a.png   image/png           mismatch
            zeros  a.bin   -                   not allowed
            random a.pdf   application/pdf     mismatch
            random a.txt   text/plain          mismatch
            zeros  a.bin   application/octet-stream not allowed
            gif    a.gif   image/gif           not allowed
            pdf    a.pdf   nonsense            not allowed
            elf    a.pdf   application/pdf     program
            elf    a.txt   text/plain          program
            pe     a.pdf   application/pdf     program
            macho  a.pdf   -                   program
            fat    a.pdf   -                   program
            script a.txt   text/plain          program
            bom    a.txt   text/plain          program
            class  a.txt   text/plain          program
            wasm   a.txt   text/plain          program
            text   a.bat   text/plain          program
            text   a.PS1   text/plain          program
            zip    a.jar   application/zip     program
            mz     a.txt   text/plain          mismatch
            shebang-like a.txt text/plain      text/plain
            """;

    private static String outcome(String file, String name, String declared) throws IOException {
        Optional<String> said = declared.equals("-") ? Optional.empty() : Optional.of(declared);
        return switch (FileTypeCheck.check(ANY.contentTypes(), FileContent.of(SampleFiles.named(file), name, FileTypeCheck.declared(said).isPresent()), said, name)) {
            case CheckedType.Accepted(String type) -> type;
            case CheckedType.Program program -> "program";
            case CheckedType.Mismatch mismatch -> "mismatch";
            case CheckedType.NotAllowed notAllowed -> "not allowed";
        };
    }

    @Test
    void aFileIsKeptUnderWhatItIsDeclaredAsWhenItIsThat() throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        for (String line : TABLE.lines().toList()) {
            String[] cells = line.strip().split("\\s+", 4);
            String context = "%s %s %s: ".formatted(cells[0], cells[1], cells[2]);
            expected.add(context + cells[3].strip());
            actual.add(context + outcome(cells[0], cells[1], cells[2]));
        }
        assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", expected));
    }

    @Test
    void everyTypeThatTheDefinitionsNameIsOneThatTheDetectorKnows() {
        EVIDENCE.forEach(category -> category.contentTypes().forEach(type ->
                assertThat(FileContent.types().getMediaTypeRegistry().getTypes()).as(category.id())
                        .contains(FileContent.types().getMediaTypeRegistry().normalize(org.apache.tika.mime.MediaType.parse(type)))));
    }
}
