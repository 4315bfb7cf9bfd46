package io.arbitration.platform.reference;

import java.util.List;
import java.util.stream.Collectors;

/** The page at the root of the platform: where people sign in, and where the reference is. */
public final class StartPage {

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Arbitration Case Platform</title>
            <link rel="stylesheet" href="/docs/page.css"></head>
            <body><header><h1>Arbitration Case Platform</h1>
            <p>%s</p>
            <ul>%s<li><a href="/docs">Reference of the operations</a></li></ul>
            </header></body></html>
            """;

    private StartPage() {}

    /**
     * A provider at which browsers sign in.
     *
     * @param name as the configuration has it: small letters, digits and dashes
     */
    public record SignIn(String name, String url) {}

    static String html(List<SignIn> signIns) {
        String links = signIns.stream()
                .map(one -> "<li><a href=\"%s\">Sign in with %s</a></li>".formatted(one.url(), one.name()))
                .collect(Collectors.joining());
        return PAGE.formatted(signIns.isEmpty() ? "Browsers sign in elsewhere: no identity provider is configured for them here."
                : "Whoever was invited signs in under the email that the invitation went to.", links);
    }
}
