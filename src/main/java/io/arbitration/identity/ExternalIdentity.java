package io.arbitration.identity;

/** Who an ID token that stood every check names; the email is verified. Names may be empty. */
record ExternalIdentity(String provider, String subject, String email, String firstName, String lastName) {}
