package io.arbitration.platform.cluster;

import com.google.crypto.tink.subtle.Ed25519Sign;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PfxOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key pair and a certificate that are computed from the secret of a cluster, so that they are the same on every node. Both
 * sides of a connection require this certificate (mutual TLS 1.3), so only nodes with the secret can connect. Ed25519 signatures
 * are deterministic (RFC 8032), so each node computes the same certificate.
 */
final class ClusterIdentity {

    /**
     * Makes guessing expensive: an attacker who sees the certificate can try secrets, and each attempt costs this many
     * iterations.
     */
    private static final int ITERATIONS = 50_000;
    private static final byte[] SALT = "arbitration-platform cluster".getBytes(StandardCharsets.UTF_8);
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    /** The DER bytes before the key in a PrivateKeyInfo of Ed25519 (RFC 8410, section 7). */
    private static final byte[] PRIVATE_KEY_HEAD = HexFormat.of().parseHex("302e020100300506032b657004220420");
    /** The DER bytes before the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410, section 4). */
    private static final byte[] PUBLIC_KEY_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final byte[] ALGORITHM = HexFormat.of().parseHex("300506032b6570");

    private final byte[] labels;
    private final KeyStore keys;
    private final String password;
    private final SSLContext tls;

    private ClusterIdentity(byte[] labels, KeyStore keys, String password, SSLContext tls) {
        this.labels = labels;
        this.keys = keys;
        this.password = password;
        this.tls = tls;
    }

    static ClusterIdentity of(String secret) {
        try {
            byte[] derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, 512)).getEncoded();
            byte[] seed = Arrays.copyOf(derived, 32);
            byte[] labels = Arrays.copyOfRange(derived, 32, 64);
            String password = label(labels, "store");
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            Certificate certificate = certificate(seed);
            PrivateKey key = KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(joined(PRIVATE_KEY_HEAD, seed)));
            keys.setKeyEntry("node", key, password.toCharArray(), new Certificate[] {certificate});
            keys.setCertificateEntry("nodes", certificate);
            return new ClusterIdentity(labels, keys, password, context(keys, password));
        } catch (GeneralSecurityException | IOException failed) {
            throw new IllegalStateException("no key follows from cluster.secret", failed);
        }
    }

    private static SSLContext context(KeyStore keys, String password) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, password.toCharArray());
        TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
        others.init(keys);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(own.getKeyManagers(), others.getTrustManagers(), null);
        return context;
    }

    /** The self-signed certificate of the key (RFC 5280, section 4.1), version 1. It does not expire: a new secret gives a new certificate. */
    private static Certificate certificate(byte[] seed) throws GeneralSecurityException {
        byte[] publicKey = joined(PUBLIC_KEY_HEAD, Ed25519Sign.KeyPair.newKeyPairFromSeed(seed).getPublicKey());
        byte[] commonName = der(0x30, joined(HexFormat.of().parseHex("0603550403"), der(0x0c, text("arbitration-platform cluster"))));
        byte[] name = der(0x30, der(0x31, commonName));
        byte[] validity = der(0x30, joined(der(0x17, text("260101000000Z")), der(0x18, text("99991231235959Z"))));
        byte[] signed = der(0x30, joined(new byte[] {2, 1, 1}, ALGORITHM, name, validity, name, publicKey));
        byte[] signature = new Ed25519Sign(seed).sign(signed);
        byte[] certificate = der(0x30, joined(signed, ALGORITHM, der(0x03, joined(new byte[] {0}, signature))));
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] der(int tag, byte[] value) {
        byte[] head = value.length < 128 ? new byte[] {(byte) tag, (byte) value.length}
                : value.length < 256 ? new byte[] {(byte) tag, (byte) 0x81, (byte) value.length}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (value.length >> 8), (byte) value.length};
        return joined(head, value);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static String label(byte[] labels, String purpose) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(labels, "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8)), 0, 16);
    }

    private String label(String purpose) {
        try {
            return label(labels, purpose);
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A name that only nodes with the same secret have. */
    String clusterName() {
        return "arbitration-" + label("name");
    }

    /** A value that is the same on nodes with the same secret. It reveals no more of the secret than the certificate does. */
    String check() {
        return label("check");
    }

    /** The TLS engine of one side of a connection. The other side must show the certificate as well. */
    SSLEngine engine(boolean client) {
        SSLEngine engine = tls.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setEnabledProtocols(PROTOCOLS);
        if (!client) {
            engine.setNeedClientAuth(true);
        }
        return engine;
    }

    /** The key and the certificate for Vert.x; the certificate is also the one to trust. */
    PfxOptions store() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            keys.store(bytes, password.toCharArray());
        } catch (GeneralSecurityException | IOException failed) {
            throw new IllegalStateException(failed);
        }
        return new PfxOptions().setValue(Buffer.buffer(bytes.toByteArray())).setPassword(password);
    }
}
