package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys and certificates for tests, made by the tool of the JDK. */
public final class Keytool {

    private Keytool() {}

    /** Runs the tool; fails with what it said unless it ends well. */
    public static void run(String... arguments) throws IOException, InterruptedException {
        // Of a run of half a second the second compiler would take as much again.
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(printed).isZero();
    }

    /** Writes a certificate of a store as PEM. */
    public static void export(Path store, String password, String alias, Path into) throws GeneralSecurityException, IOException {
        Files.writeString(into, pem("CERTIFICATE", KeyStore.getInstance(store.toFile(), password.toCharArray()).getCertificate(alias).getEncoded()));
    }

    /** PEM of what is encoded so. */
    public static String pem(String kind, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, Base64.getMimeEncoder().encodeToString(encoded), kind);
    }
}
