package io.arbitration.platform.auth;

import io.arbitration.platform.config.AreaSettings;
import java.util.Optional;

/** The issuer of the platform's tokens and receipts: below it, at {@code /.well-known}, are the keys to check them by. */
public final class Issuer {

    private Issuer() {}

    /**
     * As it is set, else the public address of the identity area.
     *
     * @param set as the settings have it; empty: the public address of the identity area
     * @param publicUrl where the platform is reached
     */
    public static String of(Optional<String> set, AreaSettings areas, String publicUrl) {
        return set.orElseGet(() -> areas.url("auth", publicUrl));
    }
}
