package io.arbitration;

import io.arbitration.identity.DemoIdentityVerticle;
import io.arbitration.identity.IdentityVerticle;
import io.arbitration.platform.Foundation;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Settings;
import io.arbitration.platform.http.Area;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** Which areas there are and which of them this node serves. */
final class Areas {

    private Areas() {}

    /** What the areas need that doesn't wait for the database. */
    static Prepared prepare(Settings settings) {
        return new Prepared(settings);
    }

    record Prepared(Settings settings) {

        List<Area> areas(Foundation foundation) {
            Map<String, Function<Foundation, Area>> all = new LinkedHashMap<>();
            all.put("auth", IdentityVerticle::new);
            if (settings.profile() == Settings.Profile.DEMO) {
                all.put("demo", DemoIdentityVerticle::new);
            }
            TreeSet<String> unknown = new TreeSet<>(settings.areas().enabled());
            unknown.addAll(settings.areas().addresses().keySet());
            unknown.removeAll(all.keySet());
            if (!unknown.isEmpty()) {
                throw new ConfigurationError("areas: no area named %s, there are %s".formatted(unknown, all.keySet()));
            }
            return all.entrySet().stream()
                    .filter(entry -> settings.areas().serves(entry.getKey()))
                    .map(entry -> entry.getValue().apply(foundation))
                    .toList();
        }
    }
}
