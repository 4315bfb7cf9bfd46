package io.arbitration.platform.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.Cidr;
import io.arbitration.platform.outbound.EgressProxy;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page tries every way there is to a server inside; a browser that is guarded lets none of them through. */
class EscapesIT {

    /** Some of the ways that get through where nothing guards: that the page does try. */
    private static final Set<String> UNGUARDED = Set.of("/fetch", "/fetch-post", "/keepalive", "/xhr", "/img", "/iframe", "/script", "/stylesheet", "/worker",
            "/service-worker", "/beacon", "/websocket", "/eventsource", "/form-of-address", "/redirected-fetch", "/redirected-img", "/redirected-iframe",
            "/refresh", "/object", "/video", "/font", "/background", "/prefetch", "/form", "tcp", "udp");

    private static Path binary(String name) {
        Optional<Path> binary = Chromium.find(Optional.of("/usr/bin/" + name));
        if (binary.isEmpty()) {
            System.out.printf("skipped: no %s on this machine%n", name);
        }
        Assumptions.assumeTrue(binary.isPresent(), "no " + name);
        return binary.get();
    }

    /** Other ways to write a loopback address, and other addresses of this machine. */
    private static JsonArray formsOfAddress() throws IOException {
        Stream<String> own = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress()).map(InetAddress::getHostAddress);
        return new JsonArray(Stream.concat(own, Stream.of("127.0.0.1", "localhost", "localhost.", "x.localhost", "127.1", "127.0.1", "2130706433", "0x7f000001",
                "0x7f.0.0.1", "017700000001", "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
                "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "127.0.0.1.", "①②⑦.0.0.1", "127。0。0。1", "inner.test", "INNER.test")).toList());
    }

    private static void serve(PageSite site, InnerServer inner) throws IOException {
        String address = "127.0.0.1:" + inner.port();
        Promise<Void> finished = Promise.promise();
        site.page("/escapes", Files.readString(Path.of("src/test/resources/pages/escapes.html"))
                .replace("USER@INNER", "user:password@" + address).replace("INNER", address)
                .replace("FORMS", formsOfAddress().encode()));
        site.on("/to-inner", request -> redirect(request, "http://%s/%s".formatted(address, request.query())));
        site.on("/to-decimal", request -> redirect(request, "http://2130706433:%d/redirected-decimal".formatted(inner.port())));
        site.on("/worker.js", request -> request.response().putHeader("Content-Type", "text/javascript").end("""
                self.addEventListener('install', event => event.waitUntil(self.skipWaiting()));
                self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
                self.addEventListener('message', event => event.waitUntil(
                    fetch(event.data, {mode: 'no-cors'}).catch(() => {}).then(() => event.ports[0].postMessage('done'))));
                """));
        site.on("/held", request -> finished.future().onComplete(tried -> request.response().setStatusCode(404).end()));
        site.on("/finished", request -> {
            finished.tryComplete();
            request.response().end();
        });
    }

    private static void redirect(HttpServerRequest request, String to) {
        request.response().setStatusCode(302).putHeader("Location", to).end();
    }

    @ParameterizedTest
    @ValueSource(strings = {"chromium-headless-shell", "chromium"})
    void noWayLeadsInside(String name) throws Exception {
        Path binary = binary(name);
        try (InnerServer inner = InnerServer.open()) {
            try (PageSite site = PageSite.open(Optional.of(binary), Duration.ofSeconds(40), 1000, 1L << 30)) {
                serve(site, inner);
                site.page("/leads-inside", "<script>location = 'http://127.0.0.1:%d/location'</script>".formatted(inner.port()));
                site.page("/refreshes-inside", "<meta http-equiv=refresh content='0;url=http://[::1]:%d/top-refresh'>".formatted(inner.port()));
                site.on("/redirects-inside", request -> redirect(request, "http://localhost:%d/top-redirect".formatted(inner.port())));
                Files.write(Path.of("target/escapes-%s.png".formatted(name)), site.picture("/escapes", 800, 600).getBytes());
                assertThat(inner.hits()).isEmpty();
                assertThat(site.hits()).contains("/held", "/finished", "/to-inner", "/worker.js");
                for (String path : List.of("/leads-inside", "/refreshes-inside", "/redirects-inside")) {
                    assertThatThrownBy(() -> site.picture(path, 10, 10)).as(path).cause().isInstanceOf(PageFailure.class);
                }
            }
            assertThat(inner.hits()).isEmpty();
        }
    }

    /** Without this, a page that tries nothing would pass for a browser that lets nothing through. */
    @ParameterizedTest
    @ValueSource(strings = {"chromium-headless-shell", "chromium"})
    void withoutTheGuardTheSamePageGetsThrough(String name) throws Exception {
        Path binary = binary(name);
        try (InnerServer inner = InnerServer.open(); PageSite site = PageSite.open(Optional.of(binary), Duration.ofSeconds(40), 1000, 1L << 30)) {
            serve(site, inner);
            Chromium chromium = PageSite.await(Chromium.launch(site.vertx(), binary, List.of(), Duration.ofSeconds(40)));
            try {
                PageSession tab = PageSite.await(chromium.open());
                PageSite.await(tab.call("Page.navigate", new JsonObject().put("url", site.url() + "/escapes")));
                PageSite.await(() -> inner.hits().containsAll(UNGUARDED), () -> "of %s came only %s".formatted(UNGUARDED, inner.hits()));
            } finally {
                PageSite.await(chromium.close());
            }
        }
    }

    /** The page's way to its own site goes through the enclosure; every flag that keeps it from going past that is left out. */
    @ParameterizedTest
    @ValueSource(strings = {"chromium-headless-shell", "chromium"})
    void aNetworkOfItsOwnIsGuardEnough(String name) throws Exception {
        Path binary = binary(name);
        if (!NetworkNamespace.isPossible()) {
            System.out.println("skipped: this machine allows no network namespace");
        }
        Assumptions.assumeTrue(NetworkNamespace.isPossible(), "no network namespace");
        try (InnerServer inner = InnerServer.open(); PageSite site = PageSite.open(Optional.of(binary), Duration.ofSeconds(40), 1000, 1L << 30)) {
            serve(site, inner);
            EgressProxy egress = new EgressProxy(site.vertx(), new AddressRules(List.of(Cidr.parse(PageSite.HOST)), () -> 0), List.of(), new EgressProxy.Bounds(128, 1 << 26));
            Path profiles = Files.createTempDirectory("enclosed-");
            // The first listener of a proxy is number 1.
            List<String> pastTheProxy = List.of("--proxy-server=http://127.0.0.1:" + ProxyRelay.PORT, "--proxy-bypass-list=<-loopback>;127.0.0.1;localhost;*.localhost;[::1]");
            Chromium chromium = PageSite.await(Chromium.launch(site.vertx(), binary, pastTheProxy, profiles, true, Duration.ofSeconds(40)));
            try {
                Path folder = chromium.namespace().orElseThrow().folder();
                Promise<EgressProxy.Listener> listener = Promise.promise();
                site.vertx().runOnContext(ignored -> egress.open(folder).onComplete(listener));
                assertThat(chromium.namespace().get().proxy(PageSite.await(listener.future()).port())).isEqualTo("http://127.0.0.1:" + ProxyRelay.PORT);
                PageSession tab = PageSite.await(chromium.open());
                PageSite.await(tab.call("Page.navigate", new JsonObject().put("url", site.url() + "/escapes")));
                PageSite.await(() -> site.hits().contains("/finished"), () -> "the page tried no more than " + site.hits());
            } finally {
                PageSite.await(chromium.close());
                PageSite.await(egress.close());
                Files.delete(profiles);
            }
            assertThat(inner.hits()).isEmpty();
        }
    }
}
