package io.arbitration.platform.config;

/** The purpose of a node: a demo, with its own sign-in, or real cases. */
public enum Profile { DEMO, PRODUCTION }
