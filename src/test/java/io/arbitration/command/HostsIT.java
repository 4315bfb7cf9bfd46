package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose areas each have a host of their own, as the guide for operators says, and a client that has an address for each area. */
class HostsIT {

    private static final List<String> AREAS = List.of("auth", "demo", "cases", "api", "ai", "profiles", "alerts", "emails", "push", "pdfs", "webhooks");

    @TempDir
    private Path folder;

    @Test
    void aCaseIsPlayedWhereEachAreaHasAHostOfItsOwn() {
        // Addresses of this machine are hosts that no name server has to know.
        Map<String, String> hosts = new LinkedHashMap<>();
        AREAS.forEach(area -> hosts.put(area, "127.0.0." + (11 + AREAS.indexOf(area))));
        JsonObject addresses = new JsonObject();
        hosts.forEach((area, host) -> addresses.put(area, new JsonObject().put("host", host)));
        List<String> told = new ArrayList<>();
        try (RunningPlatform node = RunningPlatform.shared().sibling(folder, Map.of("ACP_AREAS_ADDRESSES", addresses.encode()));
                DemoClient client = new DemoClient(area -> "http://%s:%d".formatted(hosts.get(area), node.platform().port()), told::add)) {
            new DemoCase(client, true).play();
            assertThat(told).anyMatch(line -> line.contains("\"valid\":true,\"entries\":2"));
            // It is there alone: the shared host has what belongs to no area.
            JsonObject refresh = new JsonObject().put("refreshToken", "none");
            assertThat(node.post("/auth/sessions/refresh", refresh, null).status()).isEqualTo(404);
            assertThat(RunningPlatform.at("http://%s:%d".formatted(hosts.get("auth"), node.platform().port())).post("/sessions/refresh", refresh, null).status())
                    .isEqualTo(401);
            assertThat(node.get("/docs").status()).isEqualTo(200);
        }
    }
}
