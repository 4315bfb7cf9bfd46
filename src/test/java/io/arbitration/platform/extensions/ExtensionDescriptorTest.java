package io.arbitration.platform.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.ThreadingModel;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtensionDescriptorTest {

    @TempDir
    private Path folder;

    private ExtensionDescriptor read(String text) throws IOException {
        Files.writeString(folder.resolve(ExtensionDescriptor.FILE), text);
        return ExtensionDescriptor.read(folder);
    }

    @Test
    void whatIsLeftOutHasADefaultAndTheRestIsAsItIsWritten() throws IOException {
        assertThat(read("{name: a, main: Main}")).isEqualTo(new ExtensionDescriptor("a", "Main", ThreadingModel.VIRTUAL_THREAD, new JsonObject()));
        ExtensionDescriptor whole = read("{name: the-ledger-2, main: org.example.Ledger$Writer, threads: event-loop, configuration: {password: tulip, deep: {number: 1, list: [x]}}}");
        assertThat(whole).isEqualTo(new ExtensionDescriptor("the-ledger-2", "org.example.Ledger$Writer", ThreadingModel.EVENT_LOOP,
                new JsonObject("{\"password\": \"tulip\", \"deep\": {\"number\": 1, \"list\": [\"x\"]}}")));
        assertThat(whole.toString()).doesNotContain("tulip");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "[]                                         | extension.yaml: must be a map",
        "{main: A}                                  | extension.yaml: name: must be a text",
        "{name: A b, main: A}                       | extension.yaml: name: must be 1 to 63 small letters, digits and hyphens",
        "{name: a}                                  | extension.yaml: main: must be a text",
        "{name: a, main: ../A}                      | extension.yaml: main: must be the name of a class, with its package",
        "{name: a, main: A, threads: many}          | extension.yaml: threads: must be virtual, worker or event-loop",
        "{name: a, main: A, configuration: tulip}   | extension.yaml: configuration: must be a map",
        "{name: a, main: A, instances: 2}           | extension.yaml: instances: unknown key, known are name, main, threads, configuration",
        "{name: a, name: b, main: A, secret: tulip} | extension.yaml: no YAML, line 1",
    })
    void whatIsWrongIsNamedAndNoneOfItsValuesIsShown(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ExtensionFailure.class).hasMessage(message).message().doesNotContain("tulip");
    }

    @Test
    void aFileThatIsNotThereOrTooLargeIsNamed() {
        assertThatThrownBy(() -> ExtensionDescriptor.read(folder)).hasMessage("there is no extension.yaml");
        assertThatThrownBy(() -> read("#".repeat((int) ExtensionDescriptor.BYTES_MAX + 1))).hasMessage("extension.yaml: larger than 65536 bytes");
    }
}
