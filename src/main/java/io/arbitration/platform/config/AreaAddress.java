package io.arbitration.platform.config;

/** Where an area answers when it is not a path of the shared port. */
public sealed interface AreaAddress {
    record HostName(String name) implements AreaAddress {}

    record Port(int number) implements AreaAddress {}
}
