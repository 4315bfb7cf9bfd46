package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import io.arbitration.platform.StartFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
 * A Tink keyset in a file that only its owner can read: AES-256-GCM, created at the first start. If a key-management service is
 * configured, the service has encrypted the keyset in the file and is called once, at the start; after that the node does not
 * need it (docs/decisions/008).
 */
public final class LocalKeyset implements Kms {

    private static final Logger LOG = LoggerFactory.getLogger(LocalKeyset.class);
    /** The associated data of the encrypted keyset; the service decrypts only with the same data. */
    private static final byte[] CONTEXT = "arbitration-platform keyset".getBytes(StandardCharsets.US_ASCII);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Path file;
    private final Aead aead;
    private final byte[] prefix;

    private LocalKeyset(Path file, KeysetHandle keys) throws GeneralSecurityException {
        this.file = file;
        this.aead = keys.getPrimitive(RegistryConfiguration.get(), Aead.class);
        // Tink writes the ID of the key before each ciphertext.
        this.prefix = ByteBuffer.allocate(5).put((byte) 1).putInt(keys.getPrimary().getId()).array();
    }

    /** How the key of a keyset is replaced, one step after the other, each on all nodes before the next. */
    public enum Step {
        /** A further key decrypts, and does not encrypt yet. */
        ADD_KEY,
        /** The newest key encrypts, and the others decrypt. */
        USE_NEWEST,
        /** Only the key that encrypts remains. */
        REMOVE_OTHERS
    }

    /**
     * Changes the keyset in the file.
     *
     * @throws StartFailure if there is no keyset, the step does not follow from the present state, the file cannot be written, or the service
     *     refuses or does not answer
     */
    public static void change(KeySettings settings, Step step, Clock clock) {
        with(settings, clock, service -> {
            Path file = settings.keysetFile();
            KeysetHandle.Builder keys = KeysetHandle.newBuilder(read(file, service, settings.patience()));
            int newest = keys.size() - 1;
            switch (step) {
                case ADD_KEY -> {
                    if (!keys.getAt(newest).isPrimary()) {
                        throw new GeneralSecurityException("its newest key is not in use yet");
                    }
                    keys.addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM).withRandomId());
                }
                case USE_NEWEST -> keys.getAt(newest).makePrimary();
                case REMOVE_OTHERS -> {
                    if (!keys.getAt(newest).isPrimary()) {
                        throw new GeneralSecurityException("its newest key is not in use yet");
                    }
                    for (int i = 0; i < newest; i++) {
                        keys.deleteAt(0);
                    }
                }
            }
            replace(file, serialized(keys.build(), service, settings.patience()));
            return step;
        });
    }

    /**
     * Opens the keyset, or creates it if there is none. Waits for the service, if one is configured.
     *
     * @throws StartFailure if the file is no keyset or cannot be written, or the service refuses or does not answer
     */
    public static LocalKeyset open(KeySettings settings, Clock clock) {
        Path file = settings.keysetFile();
        return with(settings, clock, service -> {
            if (!Files.exists(file)) {
                write(file, fresh(service, settings.patience()));
            }
            return new LocalKeyset(file, read(file, service, settings.patience()));
        });
    }

    /**
     * Creates a keyset for nodes that cannot write the file themselves. Waits for the service, if one is configured.
     *
     * @return false if the file exists already; it stays unchanged
     * @throws StartFailure if the file cannot be written, or the service refuses or does not answer
     */
    public static boolean make(KeySettings settings, Clock clock) {
        return with(settings, clock, service -> !Files.exists(settings.keysetFile())
                && write(settings.keysetFile(), fresh(service, settings.patience())));
    }

    /** Opens a keyset that no service encrypts. */
    public static LocalKeyset open(Path file) {
        return open(new KeySettings(file, new KeyService.Local(), Duration.ZERO), Clock.systemUTC());
    }

    private interface Work<T> {
        T by(Optional<Aead> service) throws GeneralSecurityException, IOException;
    }

    private static <T> T with(KeySettings settings, Clock clock, Work<T> work) {
        try {
            AeadConfig.register();
            return work.by(service(settings, clock));
        } catch (GeneralSecurityException | IOException | DecodeException failed) {
            throw new StartFailure(StartFailure.FAILED, "keys.keysetFile: %s cannot be used: %s".formatted(settings.keysetFile(), message(failed)), failed);
        }
    }

    private static String fresh(Optional<Aead> service, Duration patience) throws GeneralSecurityException {
        return serialized(KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM), service, patience);
    }

    private static String serialized(KeysetHandle keys, Optional<Aead> service, Duration patience) throws GeneralSecurityException {
        return service.isEmpty() ? TinkJsonProtoKeysetFormat.serializeKeyset(keys, InsecureSecretKeyAccess.get())
                : withRetries(patience, () -> TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(keys, service.get(), CONTEXT));
    }

    private static Optional<Aead> service(KeySettings settings, Clock clock) {
        return switch (settings.service()) {
            case KeyService.Local local -> Optional.empty();
            case KeyService.Aws aws -> Optional.of(new AwsKms(aws));
            case KeyService.Gcp gcp -> Optional.of(new GcpKms(gcp, clock));
            case KeyService.Vault vault -> Optional.of(new VaultTransit(vault));
        };
    }

    private static KeysetHandle read(Path file, Optional<Aead> service, Duration patience) throws GeneralSecurityException, IOException {
        String json = Files.readString(file);
        boolean encrypted = new JsonObject(json).containsKey("encryptedKeyset");
        if (encrypted != service.isPresent()) {
            throw new GeneralSecurityException(encrypted ? "it is encrypted by a key-management service, and keys.service is local"
                    : "it is not encrypted, and keys.service is not local");
        }
        return encrypted ? withRetries(patience, () -> TinkJsonProtoKeysetFormat.parseEncryptedKeyset(json, service.get(), CONTEXT))
                : TinkJsonProtoKeysetFormat.parseKeyset(json, InsecureSecretKeyAccess.get());
    }

    private interface Asking<T> {
        T ask() throws GeneralSecurityException;
    }

    /** Repeats the call for this time while the service does not answer; a refusal is final. */
    private static <T> T withRetries(Duration patience, Asking<T> asking) throws GeneralSecurityException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return asking.ask();
            } catch (GeneralSecurityException failed) {
                if (unavailable(failed) == null || System.nanoTime() + AGAIN.toNanos() > end) {
                    throw failed;
                }
                LOG.warn("{}; asking again", unavailable(failed).getMessage());
                LockSupport.parkNanos(AGAIN.toNanos());
            }
        }
    }

    private static KmsUnavailable unavailable(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof KmsUnavailable away) {
                return away;
            }
        }
        return null;
    }

    /** Tink's message says little; the message of the service is in the cause. */
    private static String message(Exception failed) {
        KmsUnavailable away = unavailable(failed);
        return away == null ? failed.getMessage() : away.getMessage();
    }

    /** False if another process was faster; its keyset then counts. */
    private static boolean write(Path file, String json) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path fresh = beside(file, json);
        try {
            // Unlike a move, creating a link does not replace an existing file.
            Files.createLink(file, fresh);
            return true;
        } catch (FileAlreadyExistsException otherWasFaster) {
            return false;
        } finally {
            Files.delete(fresh);
        }
    }

    private static void replace(Path file, String json) throws IOException {
        Path fresh = beside(file, json);
        try {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** A file in the same folder that only its owner can read. */
    private static Path beside(Path file, String json) throws IOException {
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "keyset", ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, json, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        return fresh;
    }

    @Override
    public byte[] prefix() {
        return prefix.clone();
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
