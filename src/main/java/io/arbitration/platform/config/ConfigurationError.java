package io.arbitration.platform.config;

/** A setting that stops the start; its message names the key, the value and the bound. */
public final class ConfigurationError extends RuntimeException {

    public ConfigurationError(String message) {
        super(message, null, false, false);
    }

    static ConfigurationError outOfBounds(String key, Object value, String bound) {
        return new ConfigurationError("%s: %s is out of bounds: %s".formatted(key, value, bound));
    }
}
