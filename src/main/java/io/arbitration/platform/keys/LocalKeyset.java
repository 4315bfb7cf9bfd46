package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.Settings;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Tink keyset in a file only its owner can read: AES-256-GCM, made at the first start. Where a key-management service is
 * configured, the file holds it encrypted by that service, which is asked once, at the start; from then on the node needs the
 * service no more (docs/decisions says why).
 */
public final class LocalKeyset implements Kms {

    private static final Logger LOG = LoggerFactory.getLogger(LocalKeyset.class);
    /** What the service is told that it encrypts; it decrypts for the same words alone. */
    private static final byte[] CONTEXT = "arbitration-platform keyset".getBytes(StandardCharsets.US_ASCII);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Path file;
    private final Aead aead;

    private LocalKeyset(Path file, Aead aead) {
        this.file = file;
        this.aead = aead;
    }

    /**
     * Opens the keyset, making it when there is none. Waits for the service, where one is configured.
     *
     * @throws StartFailure when the file is there but is no keyset, or can't be written, or the service refuses or stays away
     */
    public static LocalKeyset open(Settings.Keys settings, Clock clock) {
        Path file = settings.keysetFile();
        try {
            AeadConfig.register();
            Optional<Aead> service = service(settings, clock);
            if (!Files.exists(file)) {
                KeysetHandle fresh = KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM);
                write(file, service.isEmpty() ? TinkJsonProtoKeysetFormat.serializeKeyset(fresh, InsecureSecretKeyAccess.get())
                        : patiently(settings.patience(), () -> TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(fresh, service.get(), CONTEXT)));
            }
            return new LocalKeyset(file, read(file, service, settings.patience()).getPrimitive(RegistryConfiguration.get(), Aead.class));
        } catch (GeneralSecurityException | IOException | DecodeException failed) {
            throw new StartFailure(StartFailure.FAILED, "keys.keysetFile: %s cannot be used: %s".formatted(file, told(failed)), failed);
        }
    }

    /** Opens one that no service encrypts. */
    public static LocalKeyset open(Path file) {
        return open(new Settings.Keys(file, new Settings.KeyService.Local(), Duration.ZERO), Clock.systemUTC());
    }

    private static Optional<Aead> service(Settings.Keys settings, Clock clock) {
        return switch (settings.service()) {
            case Settings.KeyService.Local local -> Optional.empty();
            case Settings.AwsKms aws -> Optional.of(new AwsKms(aws));
            case Settings.GcpKms gcp -> Optional.of(new GcpKms(gcp, clock));
            case Settings.Vault vault -> Optional.of(new VaultTransit(vault));
        };
    }

    private static KeysetHandle read(Path file, Optional<Aead> service, Duration patience) throws GeneralSecurityException, IOException {
        String json = Files.readString(file);
        boolean encrypted = new JsonObject(json).containsKey("encryptedKeyset");
        if (encrypted != service.isPresent()) {
            throw new GeneralSecurityException(encrypted ? "it is encrypted by a key-management service, and keys.service is local"
                    : "it is not encrypted, and keys.service is not local");
        }
        return encrypted ? patiently(patience, () -> TinkJsonProtoKeysetFormat.parseEncryptedKeyset(json, service.get(), CONTEXT))
                : TinkJsonProtoKeysetFormat.parseKeyset(json, InsecureSecretKeyAccess.get());
    }

    private interface Asking<T> {
        T ask() throws GeneralSecurityException;
    }

    /** Asks again, for so long, while the service is away; what it refuses it refuses for good. */
    private static <T> T patiently(Duration patience, Asking<T> asking) throws GeneralSecurityException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return asking.ask();
            } catch (GeneralSecurityException failed) {
                if (away(failed) == null || System.nanoTime() + AGAIN.toNanos() > end) {
                    throw failed;
                }
                LOG.warn("{}; asking again", away(failed).getMessage());
                LockSupport.parkNanos(AGAIN.toNanos());
            }
        }
    }

    private static KmsAway away(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof KmsAway away) {
                return away;
            }
        }
        return null;
    }

    /** Tink tells little of why; what the service said is below. */
    private static String told(Exception failed) {
        KmsAway away = away(failed);
        return away == null ? failed.getMessage() : away.getMessage();
    }

    private static void write(Path file, String json) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "keyset", ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, json, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        try {
            // A link fails when another node was faster; its keyset then counts.
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException otherWasFaster) {
            Files.readString(file);
        } finally {
            Files.delete(fresh);
        }
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) {
        try {
            return aead.encrypt(plain, context);
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("encryption failed", failed);
        }
    }

    @Override
    public byte[] decrypt(byte[] cipher, byte[] context) {
        try {
            return aead.decrypt(cipher, context);
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("decryption failed; is %s (keys.keysetFile) the keyset that this database was used with?"
                    .formatted(file), failed);
        }
    }
}
