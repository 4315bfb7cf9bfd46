package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingMessagesTest {

    private static final String STRANGE = "a \"name\"\n\u2028\\ – 仲裁 \uD83D\uDE00.pdf";

    static List<ReadingTask> tasks() {
        List<ReadingTask> tasks = new ArrayList<>();
        for (ReadingTask.Kind kind : ReadingTask.Kind.values()) {
            tasks.add(new ReadingTask(kind, "/tmp/" + STRANGE, null, null, "/tmp", 0, 0, false, 1));
            tasks.add(new ReadingTask(kind, "/tmp/file", "text/plain; charset=" + STRANGE, STRANGE, "", Integer.MAX_VALUE, Integer.MAX_VALUE, true, Long.MAX_VALUE));
        }
        return tasks;
    }

    static List<ReadingAnswer> answers() {
        List<ReadingAnswer> answers = new ArrayList<>();
        answers.add(new ReadingAnswer(7, null));
        for (PdfFault fault : PdfFault.values()) {
            answers.add(new ReadingAnswer(0, fault));
        }
        for (PdfRemains remains : PdfRemains.values()) {
            answers.add(new ReadingAnswer(3, null, null, remains, null));
        }
        for (Unreadable.Reason reason : Unreadable.Reason.values()) {
            answers.add(new ReadingAnswer(0, null, null, null, reason));
        }
        answers.add(new ReadingAnswer(2, null, new CoveredText(2, -4, 297, true), null, null));
        answers.add(new ReadingAnswer(2, null, new CoveredText(1, 0, 0, false), PdfRemains.ATTACHMENT, null));
        return answers;
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aTaskArrivesAsItWasSentAndIsOneLine(ReadingTask task) throws IOException {
        assertThat(ReadingMessages.line(task).lines()).hasSize(1);
        assertThat(ReadingMessages.task(ReadingMessages.line(task))).isEqualTo(task);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerArrivesAsItWasSentAndIsOneLine(ReadingAnswer answer) throws IOException {
        assertThat(ReadingMessages.line(answer)).startsWith("{").doesNotContain("\n");
        assertThat(ReadingMessages.answer(ReadingMessages.line(answer))).isEqualTo(answer);
    }

    @Test
    void theTextOfPagesArrivesAsItWasWritten(@TempDir Path folder) throws IOException {
        List<ReadingMessages.PageText> pages = List.of(new ReadingMessages.PageText(STRANGE.repeat(10_000), false), new ReadingMessages.PageText("", true), new ReadingMessages.PageText("\r\f\u0000", false));
        ReadingMessages.write(folder.resolve("pages"), pages);
        assertThat(ReadingMessages.pages(folder.resolve("pages"))).isEqualTo(pages);
    }

    /** A file may have taken the process over: what it then writes must be refused as an answer that cannot be read. */
    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{}", "{\"pages\": 1", "{\"pages\": \"many\"}", "{\"pages\": 1, \"fault\": \"NONE\"}", "{\"pages\": [1]}", "{\"pages\": 1, \"page\": 2}", "{\"pages\": 1}}{"})
    void whatIsNoAnswerIsRefused(String line) {
        assertThatThrownBy(() -> ReadingMessages.answer(line)).isInstanceOf(IOException.class);
    }

    @Test
    void aFileThatHoldsNoPagesIsRefused(@TempDir Path folder) throws IOException {
        for (String text : List.of("", "{}", "[1]", "[{\"text\": \"cut off", "[")) {
            Path file = Files.writeString(folder.resolve("pages"), text);
            assertThatThrownBy(() -> ReadingMessages.pages(file)).as(text).isInstanceOf(IOException.class);
        }
    }
}
