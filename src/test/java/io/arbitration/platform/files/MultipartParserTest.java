package io.arbitration.platform.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultipartParserTest {

    private static final String BOUNDARY = "xYzzY";
    private static final List<String> NO_PARTS = List.of();

    /** Everything in it looks like a boundary and is none. */
    private static final String TRICKY = "\r\n--xYzz\r\n--xYzz\r\r\n-xYzzY\r\n\r\n--\r\n --xYzzY--xYzzY\r\n\r";
    private static final String BODY = form(
            "Content-Disposition: form-data; name=\"caseID\"", "c-1",
            "content-disposition:form-data;name=empty", "",
            "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain", TRICKY);
    private static final List<String> PARTS = List.of("caseID||=c-1", "empty||=", "file|a.txt|text/plain=" + TRICKY);

    /** Heads and bodies in turn. */
    private static String form(String... parts) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < parts.length; i += 2) {
            body.append("--").append(BOUNDARY).append("\r\n").append(parts[i]).append("\r\n\r\n").append(parts[i + 1]).append("\r\n");
        }
        return body.append("--").append(BOUNDARY).append("--\r\n").toString();
    }

    private static final class Parts implements MultipartParser.Listener {
        private final List<String> all = new ArrayList<>();
        private FormPart part;
        private ByteArrayOutputStream bytes;

        @Override
        public void part(FormPart begun) {
            part = begun;
            bytes = new ByteArrayOutputStream();
        }

        @Override
        public void bytes(byte[] source, int from, int to) {
            bytes.write(source, from, to - from);
        }

        @Override
        public void partEnd() {
            all.add("%s|%s|%s=%s".formatted(part.name(), part.fileName().orElse(""), part.contentType().orElse(""), bytes.toString(StandardCharsets.UTF_8)));
            part = null;
        }
    }

    private static List<String> parsed(String body, int... cuts) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Parts parts = new Parts();
        MultipartParser parser = new MultipartParser(BOUNDARY, parts);
        int from = 0;
        for (int cut : cuts) {
            parser.feed(Buffer.buffer(Arrays.copyOfRange(bytes, from, cut)));
            from = cut;
        }
        parser.feed(Buffer.buffer(Arrays.copyOfRange(bytes, from, bytes.length)));
        parser.end();
        return parts.all;
    }

    @Test
    void aFormIsTheSameHoweverItIsCut() {
        int length = BODY.length();
        assertThat(parsed(BODY)).isEqualTo(PARTS);
        for (int cut = 0; cut <= length; cut++) {
            assertThat(parsed(BODY, cut)).as("cut at %d", cut).isEqualTo(PARTS);
            assertThat(parsed(BODY, cut, Math.min(length, cut + 3))).as("cut at %d and 3 behind", cut).isEqualTo(PARTS);
        }
        int[] everywhere = new int[length];
        Arrays.setAll(everywhere, i -> i);
        assertThat(parsed(BODY, everywhere)).isEqualTo(PARTS);
    }

    /** Random content over the letters of the boundary, so that beginnings of it are everywhere; the seed is in the message. */
    @Test
    void contentMadeOfPiecesOfTheBoundaryComesThroughWhole() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            StringBuilder content = new StringBuilder();
            String letters = "\r\n--xYzY";
            for (int i = random.nextInt(200); i > 0; i--) {
                content.append(letters.charAt(random.nextInt(letters.length())));
            }
            String text = content.toString().replace("\r\n--" + BOUNDARY, "");
            String body = form("Content-Disposition: form-data; name=\"file\"", text);
            int[] cuts = random.ints(random.nextInt(6), 0, body.length()).sorted().toArray();
            assertThat(parsed(body, cuts)).as("seed %d, cuts %s", seed, Arrays.toString(cuts)).containsExactly("file||=" + text);
        }
    }

    @Test
    void textAroundThePartsAndSpacesBehindABoundaryAreAllowed() {
        String body = "Some mail readers say hello.\r\n" + BODY.replaceFirst("--xYzzY\r\n", "--xYzzY \t\r\n") + "goodbye";
        assertThat(parsed(body)).isEqualTo(PARTS);
    }

    @Test
    void aFormWithoutPartsIsEmpty() {
        assertThat(parsed("--xYzzY--")).isEqualTo(NO_PARTS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing at all|''|body: ends before its last boundary
            no boundary|hello|body: ends before its last boundary
            cut in a head|--xYzzY~Content-Dispo|body: ends before its last boundary
            cut in a part|--xYzzY~Content-Disposition: form-data; name="a"~~text|body: ends before its last boundary
            cut before the last dashes|--xYzzY~Content-Disposition: form-data; name="a"~~text~--xYzzY|body: ends before its last boundary
            a longer boundary|--xYzzYou~|body: malformed boundary line
            one dash|--xYzzY-|body: ends before its last boundary
            no head|--xYzzY~~~text~--xYzzY--|body: malformed head of a part
            a head without a colon|--xYzzY~hello~~text~--xYzzY--|body: malformed head of a part
            a head without disposition|--xYzzY~Content-Type: text/plain~~text~--xYzzY--|body: a part without Content-Disposition: form-data
            an attachment|--xYzzY~Content-Disposition: attachment; name="a"~~text~--xYzzY--|body: a part without Content-Disposition: form-data
            no name|--xYzzY~Content-Disposition: form-data; filename="a"~~text~--xYzzY--|body: a part without a name
            an empty name|--xYzzY~Content-Disposition: form-data; name=""~~text~--xYzzY--|body: a part without a name
            base64|--xYzzY~Content-Disposition: form-data; name="a"~Content-Transfer-Encoding: base64~~text~--xYzzY--|body: Content-Transfer-Encoding is not taken
            """)
    void whatIsNoFormIsRefusedWithASentence(String what, String body, String sentence) {
        assertThatThrownBy(() -> parsed(body.replace("~", "\r\n"))).as(what).isInstanceOf(Refusal.class).hasMessage(sentence);
    }

    @Test
    void whatIsTooMuchIsRefused() {
        String[] parts = new String[2 * (MultipartParser.PARTS_MAX + 1)];
        for (int i = 0; i < parts.length; i += 2) {
            parts[i] = "Content-Disposition: form-data; name=\"a%d\"".formatted(i);
            parts[i + 1] = "b";
        }
        assertThatThrownBy(() -> parsed(form(parts))).hasMessage("body: more than 20 parts");
        assertThat(parsed(form(Arrays.copyOf(parts, 2 * MultipartParser.PARTS_MAX)))).hasSize(MultipartParser.PARTS_MAX);
        assertThatThrownBy(() -> parsed("--xYzzY\r\nX: " + "y".repeat(9000), 4000, 8000)).hasMessage("body: the head of a part is longer than 8192 bytes");
        assertThatThrownBy(() -> parsed("y".repeat(9000), 4000, 8000)).hasMessage("body: too much around the parts");
        assertThatThrownBy(() -> parsed(BODY + "y".repeat(9000))).hasMessage("body: too much around the parts");
        assertThatThrownBy(() -> parsed("--xYzzY" + " ".repeat(100) + "\r\n")).hasMessage("body: malformed boundary line");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            form-data; name="a"; filename="b.txt"|name|a
            form-data; name="a"; filename="b.txt"|filename|b.txt
            form-data;filename=b.txt;name=a|name|a
            form-data; filename="; name=evil"; name="a"|name|a
            form-data; filename="a \\"quoted\\" name"; name="a"|filename|a "quoted" name
            form-data; filename="C:\\dir\\a.txt"|filename|C:\\dir\\a.txt
            form-data; filename="back\\\\slash"|filename|back\\slash
            form-data; FILENAME="a"|filename|a
            form-data; filename="open|filename|open
            form-data; filename=""|filename|~~
            """)
    void aParameterIsFoundWhateverTheOthersHold(String header, String name, String value) {
        assertThat(FormPart.parameter(header, name)).contains(value);
    }
}
