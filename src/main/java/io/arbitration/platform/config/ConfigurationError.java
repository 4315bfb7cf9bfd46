package io.arbitration.platform.config;

import io.arbitration.platform.StartFailure;

/** A setting that stops the start; its message names the key, the value and the bound. */
public final class ConfigurationError extends StartFailure {

    public ConfigurationError(String message) {
        super(MISCONFIGURED, message, null);
    }

    public static ConfigurationError outOfBounds(String key, Object value, String bound) {
        return new ConfigurationError("%s: %s is out of bounds: %s".formatted(key, value, bound));
    }
}
