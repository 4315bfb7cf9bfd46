package io.arbitration.platform.auth;

import io.arbitration.platform.config.AreaSettings;
import java.util.Optional;

/** The issuer of the platform's tokens and receipts; the keys to verify them are below it, at {@code /.well-known}. */
public final class Issuer {

    private Issuer() {}

    /**
     * The configured issuer, else the public address of the identity area.
     *
     * @param set the configured value; empty: the public address of the identity area
     * @param publicUrl the public address of the platform
     */
    public static String of(Optional<String> set, AreaSettings areas, String publicUrl) {
        return set.orElseGet(() -> areas.url("auth", publicUrl));
    }
}
