package io.arbitration.platform.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IssuerTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "| {} | https://arbitration.example.org | https://arbitration.example.org/auth",
        "| {\"auth\":{\"host\":\"auth.example.org\"}} | https://arbitration.example.org | https://auth.example.org",
        "| {\"auth\":{\"host\":\"auth.example.org\"}} | http://localhost:8080 | http://auth.example.org:8080",
        "| {\"auth\":{\"port\":9001}} | http://localhost:8080 | http://localhost:9001",
        "| {\"cases\":{\"host\":\"cases.example.org\"}} | https://arbitration.example.org | https://arbitration.example.org/auth",
        "https://issuer.example.org | {\"auth\":{\"port\":9001}} | http://localhost:8080 | https://issuer.example.org",
    })
    void theIssuerIsWhereTheIdentityAreaIsReached(String set, String addresses, String publicUrl, String issuer) {
        Map<String, String> environment = new HashMap<>(Map.of("ACP_PROFILE", "demo", "ACP_AREAS_ADDRESSES", addresses));
        if (set != null) {
            environment.put("ACP_IDENTITY_ISSUER", set);
        }
        Path home = Path.of("").toAbsolutePath();
        Settings settings = Settings.read(Configuration.load(home, environment), home);
        assertThat(Issuer.of(settings.identity().issuer(), settings.areas(), publicUrl)).isEqualTo(issuer);
    }
}
