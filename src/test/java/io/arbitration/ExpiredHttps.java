package io.arbitration;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server at localhost and 127.0.0.1 with an expired certificate of no authority. It counts the requests that reach it. */
public final class ExpiredHttps implements AutoCloseable {

    private static final String STORE_PASSWORD = "for-this-test";

    private final HttpsServer server;
    private final AtomicInteger asked = new AtomicInteger();

    private ExpiredHttps(HttpsServer server) {
        this.server = server;
    }

    /** @param folder for its key */
    public static ExpiredHttps start(Path folder) throws Exception {
        Path store = folder.resolve("expired.p12");
        Keytool.run("-genkeypair", "-alias", "stranger", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1", "-startdate", "-10d",
                "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", STORE_PASSWORD);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray()), STORE_PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        ExpiredHttps expired = new ExpiredHttps(HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        expired.server.setHttpsConfigurator(new HttpsConfigurator(tls));
        expired.server.createContext("/", exchange -> {
            expired.asked.incrementAndGet();
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        expired.server.start();
        return expired;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Requests whose sender took the certificate. */
    public int asked() {
        return asked.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
