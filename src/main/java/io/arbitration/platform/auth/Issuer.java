package io.arbitration.platform.auth;

import io.arbitration.platform.config.Settings;
import java.net.URI;

/** The issuer of the platform's tokens and receipts: below it, at {@code /.well-known}, are the keys to check them by. */
public final class Issuer {

    private Issuer() {}

    /**
     * As it is set, else the public address of the identity area.
     *
     * @param publicUrl where the platform is reached
     */
    public static String of(Settings settings, String publicUrl) {
        return settings.identity().issuer().orElseGet(() -> {
            URI reached = URI.create(publicUrl);
            return switch (settings.areas().addresses().get("auth")) {
                case null -> publicUrl + "/auth";
                case Settings.Address.HostName(String host) -> "%s://%s%s".formatted(reached.getScheme(), host, reached.getPort() < 0 ? "" : ":" + reached.getPort());
                case Settings.Address.Port(int port) -> "%s://%s:%d".formatted(reached.getScheme(), reached.getHost(), port);
            };
        });
    }
}
