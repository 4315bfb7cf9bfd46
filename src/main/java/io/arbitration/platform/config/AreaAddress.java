package io.arbitration.platform.config;

/** The address of an area that is not at a path of the shared port. */
public sealed interface AreaAddress {
    record HostName(String name) implements AreaAddress {}

    record Port(int number) implements AreaAddress {}
}
