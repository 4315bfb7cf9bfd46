package io.arbitration.platform.events;

import io.arbitration.platform.config.Configuration;

/** @param events whether events of the log are published on the event bus */
public record EventBusSettings(boolean events) {

    public static EventBusSettings read(Configuration c) {
        return new EventBusSettings(c.yesOrNo("eventBus.events"));
    }
}
