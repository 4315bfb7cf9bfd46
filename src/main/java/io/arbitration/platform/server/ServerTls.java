package io.arbitration.platform.server;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS as in Mozilla's intermediate configuration: only authenticated ciphers with forward secrecy, and only its curves. The curves are
 * set for each connection, because the JDK's own setting applies to the whole process, including outgoing connections.
 */
final class ServerTls extends JdkSSLEngineOptions {

    static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    private static final String[] GROUPS = {"x25519", "secp256r1", "secp384r1"};

    /** Worker threads compute handshakes, because an event loop that does so serves nobody else meanwhile. */
    ServerTls() {
        setUseWorkerThread(true);
    }

    /**
     * For TLS 1.2: refuses renegotiation by clients, which would cost the server more than the client. The JDK reads this at the
     * first handshake of the process as a server.
     */
    static void refuseRenegotiation() {
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    @Override
    public JdkSSLEngineOptions copy() {
        return new ServerTls();
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new WithGroups(super.sslContextFactory());
    }

    /** Delegates to another factory, and sets the curves of each engine. */
    private static final class WithGroups implements SslContextFactory {

        private SslContextFactory factory;

        WithGroups(SslContextFactory factory) {
            this.factory = factory;
        }

        @Override
        public SslContextFactory useAlpn(boolean useAlpn) {
            factory = factory.useAlpn(useAlpn);
            return this;
        }

        @Override
        public SslContextFactory clientAuth(ClientAuth clientAuth) {
            factory = factory.clientAuth(clientAuth);
            return this;
        }

        @Override
        public SslContextFactory forClient(boolean forClient) {
            factory = factory.forClient(forClient);
            return this;
        }

        @Override
        public SslContextFactory keyMananagerFactory(KeyManagerFactory keys) {
            factory = factory.keyMananagerFactory(keys);
            return this;
        }

        @Override
        public SslContextFactory trustManagerFactory(TrustManagerFactory trust) {
            factory = factory.trustManagerFactory(trust);
            return this;
        }

        @Override
        public SslContextFactory enabledCipherSuites(Set<String> suites) {
            factory = factory.enabledCipherSuites(suites);
            return this;
        }

        @Override
        public SslContextFactory applicationProtocols(List<String> protocols) {
            factory = factory.applicationProtocols(protocols);
            return this;
        }

        @Override
        public SslContextFactory serverName(String serverName) {
            factory = factory.serverName(serverName);
            return this;
        }

        @Override
        public SslContext create() throws SSLException {
            return new DelegatingSslContext(factory.create()) {
                @Override
                protected void initEngine(SSLEngine engine) {
                    SSLParameters parameters = engine.getSSLParameters();
                    parameters.setNamedGroups(GROUPS);
                    parameters.setUseCipherSuitesOrder(false);
                    engine.setSSLParameters(parameters);
                }
            };
        }
    }
}
