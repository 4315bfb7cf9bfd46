package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import io.arbitration.platform.StartFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;

/** A Tink keyset in a file only its owner can read: AES-256-GCM, made at the first start. */
public final class LocalKeyset implements Kms {

    private final Path file;
    private final Aead aead;

    private LocalKeyset(Path file, Aead aead) {
        this.file = file;
        this.aead = aead;
    }

    /**
     * Opens the keyset, making it when there is none.
     *
     * @throws StartFailure when the file is there but is no keyset, or can't be written
     */
    public static LocalKeyset open(Path file) {
        try {
            AeadConfig.register();
            if (!Files.exists(file)) {
                create(file);
            }
            KeysetHandle keyset = TinkJsonProtoKeysetFormat.parseKeyset(Files.readString(file), InsecureSecretKeyAccess.get());
            return new LocalKeyset(file, keyset.getPrimitive(RegistryConfiguration.get(), Aead.class));
        } catch (GeneralSecurityException | IOException failed) {
            throw new StartFailure(StartFailure.FAILED, "keys.keysetFile: %s cannot be used: %s".formatted(file, failed.getMessage()), failed);
        }
    }

    private static void create(Path file) throws GeneralSecurityException, IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        String json = TinkJsonProtoKeysetFormat.serializeKeyset(
                KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM), InsecureSecretKeyAccess.get());
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
