package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate of its own for a node of a test, which nobody trusts. */
final class ServerCertificate {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "server";

    private final Path folder;
    private final Certificate certificate;

    private ServerCertificate(Path folder, Certificate certificate) {
        this.folder = folder;
        this.certificate = certificate;
    }

    /** For {@code localhost} and {@code cases.localhost}, with the key, as files in the folder. */
    static ServerCertificate in(Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", ALIAS, "-keyalg", "EC",
                "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext", "san=dns:localhost,dns:cases.localhost", "-validity", "2", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", PASSWORD).redirectErrorStream(true).start();
        String printed = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(printed).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        Files.writeString(folder.resolve("chain.pem"), pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()));
        return new ServerCertificate(folder, keys.getCertificate(ALIAS));
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, Base64.getMimeEncoder().encodeToString(encoded), kind);
    }

    /** Trusts this certificate alone. */
    SSLContext trusting() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, certificate);
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    /** What tells a node to use it. */
    Map<String, String> settings() {
        return Map.of("ACP_HTTP_TLS_CERTIFICATE_FILE", folder.resolve("chain.pem").toString(), "ACP_HTTP_TLS_KEY_FILE", folder.resolve("key.pem").toString());
    }
}
