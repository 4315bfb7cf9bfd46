package io.arbitration.emails;

import java.util.Optional;

/**
 * The content of an email, as it is sent.
 *
 * @param text the same without markup; empty if the caller gave only HTML
 */
public record RenderedEmail(String subject, String html, Optional<String> text) {}
