package io.arbitration.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.MovableClock;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.live.StreamClient;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An administrator ends any access in one call on one node, and within a second it has ended on another. */
class AccessEndsIT {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final int FILE_BYTES = 6_000_000;
    /** Less than access tokens live. */
    private static final int OVERLAP_SECONDS = 600;
    private static final MovableClock CLOCK_THERE = new MovableClock();

    @TempDir
    private static Path folder;
    private static final RunningPlatform HERE = RunningPlatform.shared();
    private static RunningPlatform there;
    private static Person administrator;

    @BeforeAll
    static void start() {
        there = HERE.sibling(folder, Map.of(), CLOCK_THERE);
        administrator = HERE.administrator();
    }

    @AfterAll
    static void stop() {
        there.close();
    }

    private static Person someone() {
        return HERE.signIn("ends-" + UUID.randomUUID() + "@example.org", "Ed", "Ends");
    }

    private static Answer must(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static Answer administer(String path, JsonObject body) {
        return must(HERE.post(path, body, administrator.token()));
    }

    /**
     * Awaits that what was ended is out. A request that begins more than a second after the call was answered is refused, however busy the
     * machine is: a node does not trust what it read longer ago.
     */
    private static void awaitOut(String what, Await.Condition isOut) {
        long answered = System.nanoTime();
        Await.until(what, () -> {
            boolean late = System.nanoTime() - answered > A_SECOND.toNanos();
            boolean out = isOut.holds();
            assertThat(out || !late).as("%s within a second", what).isTrue();
            return out;
        });
    }

    private static int me(String token) {
        return there.post("/auth/users/me", (JsonObject) null, token).status();
    }

    /** A browser that signed in on the other node. */
    private record BrowserThere(String cookie, String origin) {

        static BrowserThere signedIn(String email) {
            Answer begun = there.get("/auth/login/demo");
            Answer back = there.get("/demo/authorize?%s&login_hint=%s&first_name=B&last_name=R".formatted(URI.create(begun.header("Location")).getRawQuery(), email));
            URI returned = URI.create(back.header("Location"));
            Answer done = there.get(returned.getRawPath() + "?" + returned.getRawQuery(), "Cookie", begun.header("Set-Cookie").split(";")[0]);
            assertThat(done.status()).as(done.body()).isEqualTo(302);
            return new BrowserThere(done.header("Set-Cookie").split(";")[0], "http://localhost:" + there.settings().server().port());
        }

        int me() {
            return there.post("/auth/users/me", (JsonObject) null, null, "Cookie", cookie, "Origin", origin).status();
        }
    }

    @Test
    void aDisabledUserIsOutByTokenAndByCookie() {
        Person person = someone();
        BrowserThere browser = BrowserThere.signedIn(person.email());
        assertThat(me(person.token())).isEqualTo(200);
        assertThat(browser.me()).isEqualTo(200);
        administer("/auth/users/disable", new JsonObject().put("userID", person.id()).put("reason", "Left."));
        awaitOut("out on the other node", () -> me(person.token()) == 401 && browser.me() == 401);
    }

    @Test
    void anEndedSessionIsOutAndTheUsersOthersGoOn() {
        Person person = someone();
        BrowserThere browser = BrowserThere.signedIn(person.email());
        assertThat(browser.me()).isEqualTo(200);
        String ofBrowser = must(HERE.post("/auth/sessions/list", new JsonObject().put("userID", person.id()), administrator.token())).object()
                .getJsonArray("sessions").stream().map(JsonObject.class::cast).map(session -> session.getString("sessionID")).toList().getLast();
        administer("/auth/sessions/revoke", new JsonObject().put("sessionID", ofBrowser));
        awaitOut("out on the other node", () -> browser.me() == 401);
        assertThat(me(person.token())).as("another session").isEqualTo(200);
        administer("/auth/sessions/revoke", new JsonObject().put("userID", person.id()));
        awaitOut("all are out", () -> me(person.token()) == 401);
    }

    @Test
    void aDisabledClientIsOutAndGetsNoToken() {
        JsonObject client = administer("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray())).object();
        String token = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        assertThat(there.post("/cases/cases/list", new JsonObject(), token).status()).isEqualTo(200);
        administer("/auth/clients/disable", new JsonObject().put("clientID", client.getString("clientID")));
        awaitOut("out on the other node", () -> there.post("/cases/cases/list", new JsonObject(), token).status() == 401);
        assertThat(there.post("/auth/clients/token", client, null).status()).isEqualTo(401);
    }

    /** Of a client that acts for an organization: what it acts for is asked of the session of its token. */
    private static int deliveries(String token) {
        return there.post("/webhooks/deliveries/list", new JsonObject(), token).status();
    }

    private static JsonObject clientOfAnOrganization() {
        Person founder = someone();
        String organization = must(HERE.post("/auth/organizations/create", new JsonObject().put("name", "Machines Ltd"), founder.token())).object().getString("organizationID");
        return administer("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", organization)).object();
    }

    private static String rotate(JsonObject client, int overlapSeconds) {
        return administer("/auth/clients/rotate-secret", new JsonObject().put("clientID", client.getString("clientID")).put("overlapSeconds", overlapSeconds))
                .object().getString("clientSecret");
    }

    private static void afterTheOverlap(Runnable check) {
        CLOCK_THERE.ahead(Duration.ofSeconds(OVERLAP_SECONDS));
        try {
            check.run();
        } finally {
            CLOCK_THERE.ahead(Duration.ZERO);
        }
    }

    @Test
    void whatASecretGotEndsAtOnceWhenItIsReplaced() {
        JsonObject client = clientOfAnOrganization();
        String old = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        assertThat(deliveries(old)).isEqualTo(200);
        client.put("clientSecret", rotate(client, 0));
        awaitOut("out on the other node", () -> deliveries(old) == 401);
        assertThat(deliveries(must(there.post("/auth/clients/token", client, null)).object().getString("accessToken"))).isEqualTo(200);
    }

    @Test
    void whatASecretGotEndsWithItsOverlap() {
        JsonObject client = clientOfAnOrganization();
        String before = must(HERE.post("/auth/clients/token", client, null)).object().getString("accessToken");
        JsonObject renewed = client.copy().put("clientSecret", rotate(client, OVERLAP_SECONDS));
        String within = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        String next = must(there.post("/auth/clients/token", renewed, null)).object().getString("accessToken");
        assertThat(List.of(deliveries(before), deliveries(within), deliveries(next))).containsOnly(200);
        afterTheOverlap(() -> {
            assertThat(List.of(deliveries(before), deliveries(within))).containsOnly(401);
            assertThat(there.post("/auth/clients/token", client, null).status()).isEqualTo(401);
            assertThat(deliveries(next)).as("what the new one got").isEqualTo(200);
        });
    }

    @Test
    void anOldSecretGoesOnAfterItsClientHasEndedItsSessionAndEndsInTimeAllTheSame() {
        JsonObject client = clientOfAnOrganization();
        rotate(client, OVERLAP_SECONDS);
        String ended = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        must(there.post("/auth/sessions/revoke", new JsonObject(), ended));
        assertThat(deliveries(ended)).isEqualTo(401);
        String again = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        assertThat(deliveries(again)).isEqualTo(200);
        afterTheOverlap(() -> Await.until("it ends with its secret", () -> deliveries(again) == 401));
    }

    @Test
    void aPermissionThatIsTakenIsGone() {
        Person person = someone();
        administer("/auth/permissions/grant", new JsonObject().put("userID", person.id()).put("permission", "push.keys.creator"));
        Person again = HERE.signIn(person.email(), "Ed", "Ends");
        assertThat(there.post("/push/vapid-keys/create", new JsonObject(), again.token()).status()).isEqualTo(200);
        administer("/auth/permissions/revoke", new JsonObject().put("userID", person.id()).put("permission", "push.keys.creator"));
        awaitOut("gone on the other node", () -> there.post("/push/vapid-keys/create", new JsonObject(), again.token()).status() == 403);
    }

    @Test
    void whoIsRemovedFromAnOrganizationActsForItNoMore() {
        Person founder = someone();
        Person member = someone();
        String organization = must(HERE.post("/auth/organizations/create", new JsonObject().put("name", "Ends Ltd"), founder.token())).object().getString("organizationID");
        HERE.join(organization, founder, member, true);
        assertThat(there.post("/webhooks/deliveries/list", new JsonObject(), member.token()).status()).isEqualTo(200);
        must(HERE.post("/auth/organizations/members/remove", new JsonObject().put("organizationID", organization).put("userID", member.id()), founder.token()));
        awaitOut("out on the other node", () -> there.post("/webhooks/deliveries/list", new JsonObject(), member.token()).status() == 403);
    }

    // What is under way

    private static StreamClient stream(String... headers) throws Exception {
        StreamClient stream = StreamClient.open(there, "", headers);
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    @Test
    void streamsOfEventsThatAreOpenOnTheOtherNodeEnd() throws Exception {
        Person disabled = someone();
        Person ended = someone();
        BrowserThere browser = BrowserThere.signedIn(someone().email());
        JsonObject client = clientOfAnOrganization();
        String machine = must(there.post("/auth/clients/token", client, null)).object().getString("accessToken");
        try (StreamClient ofDisabled = stream("Authorization", "Bearer " + disabled.token());
                StreamClient ofEnded = stream("Authorization", "Bearer " + ended.token());
                StreamClient ofBrowser = stream("Cookie", browser.cookie());
                StreamClient ofMachine = stream("Authorization", "Bearer " + machine);
                StreamClient untouched = stream("Authorization", "Bearer " + someone().token())) {
            disable(disabled);
            Await.until("a disabled user's", ofDisabled::hasEnded);
            administer("/auth/sessions/revoke", new JsonObject().put("userID", ended.id()));
            Await.until("an ended session's", ofEnded::hasEnded);
            administer("/auth/clients/disable", new JsonObject().put("clientID", client.getString("clientID")));
            Await.until("a disabled client's", ofMachine::hasEnded);
            assertThat(ofBrowser.hasEnded()).isFalse();
            must(HERE.post("/auth/logout", (JsonObject) null, null, "Cookie", browser.cookie(), "Origin", "http://localhost:" + HERE.settings().server().port()));
            Await.until("that of a browser that signed out", ofBrowser::hasEnded);
            assertThat(untouched.hasEnded()).isFalse();
        }
    }

    /** A request whose head is sent by hand, so that it can be left half done. */
    private static final class Open implements AutoCloseable {

        private final Socket socket = new Socket();

        Open(String path, String token, String contentType, long length) throws IOException {
            URI url = URI.create(there.url());
            socket.setReceiveBufferSize(16_384);
            socket.setSoTimeout(20_000);
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
            send("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                    .formatted(path, token, contentType, length).getBytes(StandardCharsets.US_ASCII));
        }

        void send(byte[] bytes) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        }

        /** So many bytes of the answer, less where it ends. */
        byte[] read(int bytes) throws IOException {
            return socket.getInputStream().readNBytes(bytes);
        }

        /** Reads until the other side has closed; how many bytes came. */
        long drained() throws IOException {
            InputStream in = socket.getInputStream();
            byte[] block = new byte[65_536];
            long all = 0;
            try {
                for (int read = in.read(block); read >= 0; read = in.read(block)) {
                    all += read;
                }
            } catch (java.net.SocketException reset) {
                return all;
            }
            return all;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] noise() {
        byte[] bytes = new byte[FILE_BYTES / 4 * 3];
        new Random(1).nextBytes(bytes);
        return Base64.getMimeEncoder().encode(bytes);
    }

    private static void disable(Person person) {
        administer("/auth/users/disable", new JsonObject().put("userID", person.id()).put("reason", "Left."));
    }

    @Test
    void aDownloadAndAnExportUnderWayEnd() throws Exception {
        OpenCase open = OpenCase.on(HERE);
        String upload = must(Form.of(open.caseId(), "other", "Noise.").file("noise.txt", "text/plain", noise()).post(there, open.claimant().token()))
                .object().getString("uploadID");
        byte[] asked = new JsonObject().put("caseID", open.caseId()).put("uploadID", upload).toBuffer().getBytes();
        byte[] exported = new JsonObject().put("caseID", open.caseId()).toBuffer().getBytes();
        try (Open download = new Open("/api/evidence/uploads/download", open.claimant().token(), "application/json", asked.length);
                Open export = new Open("/cases/cases/export", open.claimant().token(), "application/json", exported.length)) {
            download.send(asked);
            export.send(exported);
            assertThat(new String(download.read(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
            assertThat(new String(export.read(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
            disable(open.claimant());
            awaitOut("out on the other node", () -> me(open.claimant().token()) == 401);
            assertThat(download.drained()).as("of a file of %d bytes, no more than was on its way", FILE_BYTES).isLessThan(FILE_BYTES);
            assertThat(export.drained()).isLessThan(FILE_BYTES);
        }
    }

    @Test
    void aDownloadOfSomebodyWhoIsRemovedFromTheCaseEnds() throws Exception {
        OpenCase open = OpenCase.on(HERE);
        Person colleague = someone();
        must(open.on("/cases/cases/participants/add", open.manager(), new JsonObject().put("userID", colleague.id()).put("partyID", "claimant")));
        String upload = must(Form.of(open.caseId(), "other", "Noise.").file("noise.txt", "text/plain", noise()).post(there, open.claimant().token()))
                .object().getString("uploadID");
        byte[] asked = new JsonObject().put("caseID", open.caseId()).put("uploadID", upload).toBuffer().getBytes();
        try (Open download = new Open("/api/evidence/uploads/download", colleague.token(), "application/json", asked.length)) {
            download.send(asked);
            assertThat(new String(download.read(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
            must(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", colleague.id())));
            CLOCK_THERE.forward(Duration.ofSeconds(2));
            assertThat(download.drained()).as("of a file of %d bytes, no more than was on its way", FILE_BYTES).isLessThan(FILE_BYTES);
        }
    }

    /** A page that never comes: at its deadline the capture would be refused, to somebody who has access. */
    @Test
    void aCaptureUnderWayEndsWithoutAnAnswer() throws Exception {
        Assumptions.assumeTrue(Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM"))).isPresent(), "no Chromium");
        Person person = someone();
        try (ServerSocket silent = new ServerSocket(0)) {
            byte[] asked = new JsonObject().put("mailType", "trademarkNotice").put("url", "http://127.0.0.1:%d/".formatted(silent.getLocalPort())).toBuffer().getBytes();
            try (Open capture = new Open("/api/service-of-notice/attachments/create", person.token(), "application/json", asked.length)) {
                capture.send(asked);
                try (Socket fetched = silent.accept()) {
                    disable(person);
                    assertThat(capture.drained()).as("it is broken off without an answer").isZero();
                    assertThat(fetched.isConnected()).isTrue();
                }
            }
        }
    }

    @Test
    void anUploadUnderWayEndsAndNothingOfItIsKept() throws Exception {
        OpenCase open = OpenCase.on(HERE);
        byte[] form = Form.of(open.caseId(), "other", "Noise.").file("noise.txt", "text/plain", noise()).bytes();
        int objects = there.objects().size();
        try (Open upload = new Open(Form.PATH, open.claimant().token(), Form.CONTENT_TYPE, form.length)) {
            upload.send(java.util.Arrays.copyOf(form, form.length / 2));
            Await.until("the file arrives", () -> there.objects().size() > objects);
            disable(open.claimant());
            assertThat(upload.drained()).as("it is broken off without an answer").isZero();
        }
        Await.until("nothing of it is kept", () -> there.objects().size() == objects);
        assertThat(must(HERE.post("/api/evidence/uploads/list", new JsonObject().put("caseID", open.caseId()), open.manager().token())).object()
                .getJsonArray("uploads")).isEmpty();
    }
}
