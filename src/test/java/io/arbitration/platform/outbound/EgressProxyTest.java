package io.arbitration.platform.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one page does to a server is nothing to another page. */
@ExtendWith(VertxExtension.class)
class EgressProxyTest {

    private static final int REQUESTS_OF_ONE_PAGE = 100;

    private Vertx vertx;
    private EgressProxy proxy;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
        this.proxy = new EgressProxy(vertx, new AddressRules(List.of(Cidr.parse("127.0.0.1")), () -> 0), List.of(), new EgressProxy.Bounds(128, 1 << 26));
    }

    @AfterEach
    void close() {
        Await.result(proxy.close());
    }

    private EgressProxy.Listener page() {
        Promise<EgressProxy.Listener> opened = Promise.promise();
        vertx.runOnContext(on -> proxy.open().onComplete(opened));
        return Await.result(opened.future());
    }

    private static HttpClient browser(EgressProxy.Listener page) {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", page.port()))).build();
    }

    private static CompletableFuture<Integer> status(HttpClient browser, int port, String path) {
        return browser.sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path))).build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    @Test
    void aPageThatHoldsAllConnectionsToAServerThatItMayHaveLeavesAnotherPageItsOwn() throws Exception {
        Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
        int port = Await.result(vertx.createHttpServer().requestHandler(request -> {
            if (request.path().equals("/held")) {
                held.add(request);
            } else {
                request.response().end();
            }
        }).listen(0, "127.0.0.1")).actualPort();
        EgressProxy.Listener greedy = page();
        EgressProxy.Listener other = page();
        try (HttpClient first = browser(greedy); HttpClient second = browser(other)) {
            List<CompletableFuture<Integer>> waiting = IntStream.range(0, REQUESTS_OF_ONE_PAGE).mapToObj(each -> status(first, port, "/held")).toList();
            Await.until("the page has as many connections as it may have", () -> held.size() == 64);
            assertThat(status(second, port, "/plain").get(60, TimeUnit.SECONDS)).isEqualTo(200);
            assertThat(held).hasSize(64);
            // Those of the page go on in their turn.
            Await.until("all are answered", () -> {
                for (HttpServerRequest one = held.poll(); one != null; one = held.poll()) {
                    one.response().end();
                }
                return waiting.stream().allMatch(CompletableFuture::isDone);
            });
            assertThat(waiting).allSatisfy(one -> assertThat(one.join()).isEqualTo(200));
        }
        Await.result(greedy.close());
        Await.result(other.close());
    }

    /** It says nothing of it: as one that keeps connections for some seconds and ends them just when the next request is on its way. */
    @Test
    void aServerThatEndsTheConnectionsThatItKeptFailsNoPage() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread.startVirtualThread(() -> {
                while (!server.isClosed()) {
                    try {
                        Socket client = server.accept();
                        Thread.startVirtualThread(() -> answerOnce(client));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            for (EgressProxy.Listener page : List.of(page(), page())) {
                try (HttpClient browser = browser(page)) {
                    assertThat(status(browser, server.getLocalPort(), "/first").get(60, TimeUnit.SECONDS)).isEqualTo(200);
                    assertThat(status(browser, server.getLocalPort(), "/second").get(60, TimeUnit.SECONDS)).isEqualTo(200);
                }
                Await.result(page.close());
            }
        }
    }

    /** Ends the connection when another request comes over it. */
    private static void answerOnce(Socket client) {
        try (client; BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                // The head, to its end.
            }
            client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1));
            in.readLine();
        } catch (IOException gone) {
            // The proxy has closed it.
        }
    }
}
