package io.arbitration.platform.server;

import io.arbitration.Keytool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
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
        Keytool.run("-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext", "san=dns:localhost,dns:cases.localhost",
                "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Files.writeString(folder.resolve("key.pem"), Keytool.pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        Keytool.export(store, PASSWORD, ALIAS, folder.resolve("chain.pem"));
        return new ServerCertificate(folder, keys.getCertificate(ALIAS));
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
