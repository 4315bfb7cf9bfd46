package io.arbitration.cases.sandbox;

import io.arbitration.platform.config.Configuration;

/**
 * Cases with a clock of their own.
 *
 * @param enabled whether they can be created
 */
public record SandboxSettings(boolean enabled) {

    public static SandboxSettings read(Configuration c) {
        return new SandboxSettings(c.yesOrNo("sandbox.enabled"));
    }
}
