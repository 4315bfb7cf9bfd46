package io.arbitration;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.logging.LogManager;

/**
 * What test classes of one process share without asking for it. A class that changes it and does not put it back makes another class fail
 * in one order of the classes and not in another.
 *
 * @param properties of the system; a library may add its own at its first use
 * @param defaults   what each default of the JDK is, by its name
 */
record StateOfProcess(Map<String, String> properties, Map<String, Object> defaults) {

    /** A platform installs the one at its first start and a Kafka broker the other; both stay. */
    private static final Set<String> INSTALLED_AT_FIRST_USE = Set.of("AmazonCorrettoCryptoProvider", "Simple SASL/PLAIN Server Provider");
    /** The JDK sets it when it reads the time zone first. */
    private static final String SET_BY_THE_JDK = "user.timezone";

    static StateOfProcess now() {
        Map<String, String> properties = new TreeMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        properties.keySet().removeIf(name -> name.equals(SET_BY_THE_JDK) || System.getProperty(name) == null);
        Map<String, Object> defaults = new TreeMap<>();
        defaults.put("time zone", TimeZone.getDefault().getID());
        defaults.put("locale", Locale.getDefault());
        defaults.put("security providers", Arrays.stream(Security.getProviders()).map(Provider::getName).filter(name -> !INSTALLED_AT_FIRST_USE.contains(name)).toList());
        defaults.put("handler of uncaught exceptions", String.valueOf(Thread.getDefaultUncaughtExceptionHandler()));
        defaults.put("cookie handler", String.valueOf(CookieHandler.getDefault()));
        defaults.put("authenticator", String.valueOf(Authenticator.getDefault()));
        defaults.put("proxy selector", String.valueOf(ProxySelector.getDefault()));
        defaults.put("streams", List.of(System.identityHashCode(System.in), System.identityHashCode(System.out), System.identityHashCode(System.err)));
        defaults.put("handlers of java.util.logging", LogManager.getLogManager().getLogger("").getHandlers().length);
        return new StateOfProcess(properties, defaults);
    }

    /** A sentence for each; empty when all is as it was. */
    List<String> differencesFrom(StateOfProcess before) {
        List<String> differences = new ArrayList<>();
        before.properties.forEach((name, value) -> {
            if (!Objects.equals(properties.get(name), value)) {
                differences.add("the system property %s was %s and is left as %s".formatted(name, value, properties.get(name)));
            }
        });
        before.defaults.forEach((what, value) -> {
            if (!Objects.equals(defaults.get(what), value)) {
                differences.add("the %s: was %s and is left as %s".formatted(what, value, defaults.get(what)));
            }
        });
        return differences;
    }
}
