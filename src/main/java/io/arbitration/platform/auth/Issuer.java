package io.arbitration.platform.auth;

import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.AreaSettings;
import java.net.URI;
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
        return set.orElseGet(() -> {
            URI reached = URI.create(publicUrl);
            return switch (areas.addresses().get("auth")) {
                case null -> publicUrl + "/auth";
                case AreaAddress.HostName(String host) -> "%s://%s%s".formatted(reached.getScheme(), host, reached.getPort() < 0 ? "" : ":" + reached.getPort());
                case AreaAddress.Port(int port) -> "%s://%s:%d".formatted(reached.getScheme(), reached.getHost(), port);
            };
        });
    }
}
