package io.arbitration.emails;

import java.util.Optional;

/**
 * What an email says, as it is sent.
 *
 * @param text the same without markup; empty where the caller gave the HTML alone
 */
public record RenderedEmail(String subject, String html, Optional<String> text) {}
