package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void theKeyIsReplacedInThreeStepsAndWhatItEncryptedIsReadUntilTheLast() throws Exception {
        Path file = folder.resolve("keyset.json");
        String name = file.toString();
        byte[] context = "its row".getBytes(StandardCharsets.UTF_8);
        assertThat(ArbitrationCommand.execute("keyset", name)).isZero();
        Kms first = LocalKeyset.open(file);
        byte[] old = first.encrypt(new byte[] {1}, context);

        assertThat(ArbitrationCommand.execute("keyset", "--add-key", name)).isZero();
        Kms both = LocalKeyset.open(file);
        assertThat(both.prefix()).isEqualTo(first.prefix());
        byte[] added = Files.readAllBytes(file);
        for (String tooEarly : new String[] {"--add-key", "--remove-others"}) {
            assertThat(ArbitrationCommand.execute("keyset", tooEarly, name)).as(tooEarly).isNotZero();
            assertThat(file).hasBinaryContent(added);
        }

        assertThat(ArbitrationCommand.execute("keyset", "--use-newest", name)).isZero();
        Kms newest = LocalKeyset.open(file);
        assertThat(newest.prefix()).isNotEqualTo(first.prefix());
        byte[] fresh = newest.encrypt(new byte[] {2}, context);
        assertThat(fresh).startsWith(newest.prefix());
        assertThat(newest.decrypt(old, context)).isEqualTo(new byte[] {1});
        assertThat(both.decrypt(fresh, context)).as("on a node of the step before").isEqualTo(new byte[] {2});

        assertThat(ArbitrationCommand.execute("keyset", "--remove-others", name)).isZero();
        Kms alone = LocalKeyset.open(file);
        assertThat(alone.decrypt(fresh, context)).isEqualTo(new byte[] {2});
        assertThatThrownBy(() -> alone.decrypt(old, context)).isInstanceOf(IllegalStateException.class);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).as("nothing is left beside it").containsExactly(file);
        }
    }

    @Test
    void thereIsNoKeyToReplaceWhereThereIsNoKeyset() {
        for (String step : new String[] {"--add-key", "--use-newest", "--remove-others"}) {
            assertThat(ArbitrationCommand.execute("keyset", step, folder.resolve("none.json").toString())).as(step).isNotZero();
        }
        assertThat(ArbitrationCommand.execute("keyset", "--add-key", "--use-newest", folder.resolve("none.json").toString())).isNotZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void twoKeysetsAreNotTheSame() throws Exception {
        for (String name : new String[] {"one.json", "other.json"}) {
            assertThat(ArbitrationCommand.execute("keyset", folder.resolve(name).toString())).isZero();
        }
        assertThat(Files.readString(folder.resolve("one.json"))).isNotEqualTo(Files.readString(folder.resolve("other.json")));
    }
}
