package io.arbitration.platform.keys;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts Amazon Corretto Crypto Provider first; where it has no build, the JDK's own providers serve, slower. */
public final class CryptoProvider {

    private static final Logger LOG = LoggerFactory.getLogger(CryptoProvider.class);
    private static boolean installed;

    private CryptoProvider() {}

    /**
     * Begins to install beside what a start does first: the provider's signed archive is checked class by class, which
     * takes a fifth of a second.
     */
    public static void installAhead() {
        Thread.ofPlatform().daemon().name("crypto-provider").start(CryptoProvider::install);
    }

    /** Call before any other use of cryptography: providers that were already chosen stay chosen. Waits for one that is at it. */
    public static synchronized void install() {
        if (installed) {
            return;
        }
        installed = true;
        if (!"linux".equalsIgnoreCase(System.getProperty("os.name"))) {
            return;
        }
        try {
            AmazonCorrettoCryptoProvider.install();
            if (AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() != null) {
                LOG.info("native cryptography not available, using the JDK's: {}",
                        AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError().getMessage());
            }
        } catch (LinkageError noBuild) {
            LOG.info("native cryptography not available, using the JDK's: {}", noBuild.getMessage());
        }
    }
}
