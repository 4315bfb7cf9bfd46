package io.arbitration.cases.sandbox;

import io.arbitration.platform.config.Configuration;

/**
 * Cases that run by a clock of their own.
 *
 * @param enabled whether there can be any
 */
public record SandboxSettings(boolean enabled) {

    public static SandboxSettings read(Configuration c) {
        return new SandboxSettings(c.yesOrNo("sandbox.enabled"));
    }
}
