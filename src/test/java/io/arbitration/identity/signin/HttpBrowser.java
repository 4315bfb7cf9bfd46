package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a browser does of HTTP in a sign-in, without its scripts and pictures: follows redirects, keeps cookies, sends the form of a page. */
final class HttpBrowser implements AutoCloseable {

    private static final Pattern ACTION = Pattern.compile("action=\"([^\"]+)\"");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Java sends cookies that name a version in a form that no browser uses, and unlike browsers takes this machine for a place that is not safe. */
    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL) {
        @Override
        public void put(URI address, Map<String, List<String>> headers) throws IOException {
            super.put(address, headers);
            getCookieStore().getCookies().forEach(cookie -> {
                cookie.setVersion(0);
                cookie.setSecure(false);
            });
        }
    };
    private final HttpClient client = HttpClient.newBuilder().cookieHandler(cookies).followRedirects(HttpClient.Redirect.ALWAYS)
            .version(HttpClient.Version.HTTP_1_1).build();

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    HttpResponse<String> go(String address) {
        return send(HttpRequest.newBuilder(URI.create(address)));
    }

    /** Sends the first form of a page with these fields: name, value, name, value … */
    HttpResponse<String> submit(HttpResponse<String> page, String... fields) {
        Matcher action = ACTION.matcher(page.body());
        assertThat(action.find()).as("a form at %s %d: %s", page.uri(), page.statusCode(), page.body()).isTrue();
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            form.append(i == 0 ? "" : "&").append(fields[i]).append('=').append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return send(HttpRequest.newBuilder(page.uri().resolve(action.group(1).replace("&amp;", "&")))
                .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(form.toString())));
    }

    /** The value of a hidden field of a page. */
    static String hidden(HttpResponse<String> page, String name) {
        Matcher value = Pattern.compile("name=\"%s\"\\s+value=\"([^\"]*)\"".formatted(name)).matcher(page.body());
        assertThat(value.find()).as("a field %s at %s: %s", name, page.uri(), page.body()).isTrue();
        return value.group(1);
    }

    /** Whether its cookie signs it in at the platform. */
    boolean isIn(String origin) {
        int status = send(HttpRequest.newBuilder(URI.create(origin + "/auth/users/me")).header("Origin", origin).POST(HttpRequest.BodyPublishers.noBody()))
                .statusCode();
        assertThat(status).isIn(200, 401);
        return status == 200;
    }

    List<String> cookieNames() {
        return cookies.getCookieStore().getCookies().stream().map(HttpCookie::getName).toList();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
