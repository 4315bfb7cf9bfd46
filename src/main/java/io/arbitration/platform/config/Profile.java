package io.arbitration.platform.config;

/** What a node is for: trying the platform, with a sign-in of its own, or real cases. */
public enum Profile { DEMO, PRODUCTION }
