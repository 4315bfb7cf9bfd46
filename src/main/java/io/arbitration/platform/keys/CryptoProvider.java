package io.arbitration.platform.keys;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the Amazon Corretto Crypto Provider first; where it has no build, the JDK's own providers are used, which are slower.
 */
public final class CryptoProvider {

    private static final Logger LOG = LoggerFactory.getLogger(CryptoProvider.class);
    private static boolean installed;

    private CryptoProvider() {}

    /**
     * Begins the installation in parallel with the first steps of a start: the provider's signed archive is checked class by
     * class, which takes a fifth of a second.
     */
    public static void installAhead() {
        Thread.ofPlatform().daemon().name("crypto-provider").start(CryptoProvider::install);
    }

    /**
     * Call this before any other use of cryptography, because a provider that was already chosen stays chosen. Waits for a
     * running installation.
     */
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
