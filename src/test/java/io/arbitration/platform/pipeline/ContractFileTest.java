package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContractFileTest {

    private static final Path SOURCES = Path.of("src/main/resources/openapi");

    static List<String> contracts() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.yaml$", "")).sorted().toList();
        }
    }

    private static byte[] yaml(String name) throws IOException {
        return Files.readAllBytes(SOURCES.resolve(name + ".yaml"));
    }

    /** Also in the order of its members, in which readers of /openapi see them. */
    @ParameterizedTest
    @MethodSource("contracts")
    void theJsonThatTheBuildMadeIsTheContract(String name) throws IOException {
        String parsed = new YAMLMapper().readTree(yaml(name)).toString();
        assertThat(ContractFile.fromBuild(name, yaml(name)).map(JsonObject::encode)).contains(new JsonObject(parsed).encode());
        assertThat(ContractFile.read(name)).isEqualTo(new JsonObject(parsed));
    }

    @Test
    void theJsonOfAnEditedContractIsNotUsed() throws IOException {
        String edited = new String(yaml("pdfs"), StandardCharsets.UTF_8).replaceFirst("fillPdfTemplate", "fillPdfForm");
        assertThat(edited).isNotEqualTo(new String(yaml("pdfs"), StandardCharsets.UTF_8));
        assertThat(ContractFile.fromBuild("pdfs", edited.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void aContractOfWhichTheBuildMadeNoJsonIsReadFromItsYaml() throws IOException {
        byte[] small = Files.readAllBytes(Path.of("src/test/resources/openapi/small.yaml"));
        assertThat(ContractFile.fromBuild("small", small)).isEmpty();
        assertThat(ContractFile.read("small")).isEqualTo(new JsonObject(new YAMLMapper().readTree(small).toString()));
    }
}
