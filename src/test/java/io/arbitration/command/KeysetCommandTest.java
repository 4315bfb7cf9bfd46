package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.LocalKeyset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysetCommandTest {

    @TempDir
    private Path folder;

    @Test
    void aKeysetIsMadeThatNodesWorkWithAndThatItsOwnerAloneReads() throws Exception {
        Path file = folder.resolve("keyset.json");
        assertThat(ArbitrationCommand.execute("keyset", file.toString())).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        byte[] made = Files.readAllBytes(file);
        byte[] secret = "a secret".getBytes(StandardCharsets.UTF_8);
        byte[] context = "its row".getBytes(StandardCharsets.UTF_8);
        Kms node = LocalKeyset.open(file);
        Kms other = LocalKeyset.open(file);
        assertThat(other.decrypt(node.encrypt(secret, context), context)).isEqualTo(secret);
        assertThat(file).as("nodes only read it").hasBinaryContent(made);
    }

    @Test
    void aFileThatIsThereStaysAsItIs() throws Exception {
        Path file = Files.writeString(folder.resolve("keyset.json"), "the keys of all these years");
        assertThat(ArbitrationCommand.execute("keyset", file.toString())).isEqualTo(1);
        assertThat(file).hasContent("the keys of all these years");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).as("nothing is left beside it").containsExactly(file);
        }
    }

    @Test
    void twoKeysetsAreNotTheSame() throws Exception {
        for (String name : new String[] {"one.json", "other.json"}) {
            assertThat(ArbitrationCommand.execute("keyset", folder.resolve(name).toString())).isZero();
        }
        assertThat(Files.readString(folder.resolve("one.json"))).isNotEqualTo(Files.readString(folder.resolve("other.json")));
    }
}
