import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.client.*;
import io.arbitration.client.api.*;
import io.arbitration.client.model.*;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** What ClientsIT asks of the library beside the generated calls; prints what it saw, one line each. The argument is a file of what it needs. */
public class Checks {

    static final ObjectMapper JSON = new ObjectMapper();
    static final RetryPolicy QUICK = new RetryPolicy(5, 30, 0.01, 0.05);
    static JsonNode given;
    static String faulty;

    public static void main(String[] arguments) throws Exception {
        given = JSON.readTree(Path.of(arguments[0]).toFile());
        faulty = text("faulty");
        String refreshToken = oneRenewalForAll();
        theSessionEnds(refreshToken);
        tokensAreStoredBeforeTheyAreUsed();
        aMachineClient();
        repetitions();
        nobodyIsReached();
        limits();
        pages();
        webhooks();
        uploads();
    }

    static String text(String name) {
        return given.path(name).asText();
    }

    static Platform by(String fault, Credentials credentials) {
        return new Platform(faulty + "/" + fault, credentials, QUICK);
    }

    static Credentials person() {
        return Credentials.resume(refreshTokens().remove(0));
    }

    static List<String> left;

    static List<String> refreshTokens() {
        if (left == null) {
            left = new ArrayList<>();
            given.path("refreshTokens").forEach(token -> left.add(token.asText()));
        }
        return left;
    }

    static int atOnce(int calls, Platform platform) throws Exception {
        UsersApi users = new UsersApi(platform);
        ExecutorService callers = Executors.newFixedThreadPool(calls);
        try {
            int answered = 0;
            Callable<CurrentUser> call = users::viewCurrentUser;
            for (Future<CurrentUser> each : callers.invokeAll(Collections.nCopies(calls, call))) {
                answered += each.get().getEmail().equals("clara@clients.example") ? 1 : 0;
            }
            return answered;
        } finally {
            callers.shutdown();
        }
    }

    static String oneRenewalForAll() throws Exception {
        AtomicInteger stored = new AtomicInteger();
        AtomicReference<String> last = new AtomicReference<>();
        Credentials signIn = Credentials.signIn("demo", text("idToken")).onTokens(tokens -> {
            stored.incrementAndGet();
            last.set(tokens.getRefreshToken());
        });
        System.out.println("signed in: " + atOnce(20, by("none/sign-in", signIn)) + " answers, stored " + stored);
        Credentials resumed = Credentials.resume(last.get()).onTokens(tokens -> {
            stored.incrementAndGet();
            last.set(tokens.getRefreshToken());
        });
        System.out.println("renewed: " + atOnce(20, by("refuse/renew", resumed)) + " answers, stored " + stored);
        // By a clock: the token is good for an hour, and is renewed in the last minute of it.
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        Credentials aging = Credentials.resume(last.get()).clock(new Clock() {
            @Override
            public java.time.ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now.get();
            }
        }).onTokens(tokens -> last.set(tokens.getRefreshToken()));
        Platform platform = by("none/aging", aging);
        for (int seconds : new int[] {0, 3_530, 3_550, 3_550 + 3_550}) {
            Instant at = now.get();
            now.set(at.plusSeconds(seconds));
            atOnce(1, platform);
            now.set(at);
        }
        return last.get();
    }

    static void theSessionEnds(String refreshToken) {
        Credentials over = Credentials.resume("nothing");
        UsersApi users = new UsersApi(by("none/ended", over));
        for (int i = 0; i < 2; i++) {
            System.out.println("ended: " + outcome(users::viewCurrentUser));
        }
        Credentials secretive = Credentials.resume(refreshToken);
        System.out.println("tokens shown: " + (secretive + " " + by("none/text", secretive)).contains(refreshToken));
    }

    interface Call {
        Object run() throws Exception;
    }

    static String outcome(Call call) {
        try {
            call.run();
            return "answered";
        } catch (PlatformException refused) {
            return "%s %d %s known=%b '%s' retry=%b request=%b".formatted(refused instanceof SessionEndedException ? "ended" : "refused",
                    refused.getStatus(), refused.getErrorCodeText(), refused.getErrorCode() != ErrorCode.UNKNOWN_DEFAULT_OPEN_API, refused.getReason(),
                    refused.getRetryAfterSeconds().isPresent(), refused.getRequestID() != null);
        } catch (RepeatedCursorException repeated) {
            return "repeated cursor";
        } catch (Exception failed) {
            return "failed";
        }
    }

    static void tokensAreStoredBeforeTheyAreUsed() {
        AtomicInteger asked = new AtomicInteger();
        Credentials credentials = person().onTokens(tokens -> {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("the disk is full");
            }
        });
        UsersApi users = new UsersApi(by("none/store", credentials));
        System.out.println("stored: " + outcome(users::viewCurrentUser) + ", " + outcome(users::viewCurrentUser) + ", offered " + asked);
    }

    static void aMachineClient() throws Exception {
        EventPages events = new EventPages(new Platform(text("url"), Credentials.machine(text("clientID"), text("clientSecret"))));
        List<Long> sequences = Pages.itemsAfter(events::after, SequencedEvent::getSequence).map(SequencedEvent::getSequence).collect(Collectors.toList());
        System.out.println("events: " + (sequences.size() > 1) + " in order " + sequences.equals(sequences.stream().sorted().distinct().toList()));
        UsersApi wrong = new UsersApi(new Platform(text("url"), Credentials.machine(text("clientID"), "wrong")));
        System.out.println("machine: " + outcome(wrong::viewCurrentUser));
    }

    /** One event a page, so that there are pages. */
    record EventPages(Platform platform) {

        List<SequencedEvent> after(Long sequence) throws ApiException {
            return new EventsApi(platform).listEvents(new ListEventsRequest().afterSequence(sequence).limit(1)).getEvents();
        }
    }

    static void repetitions() {
        Credentials lost = person();
        CasesApi cases = new CasesApi(by("lose/answers", lost));
        System.out.println("lost: " + outcome(() -> cases.createCase(new CreateCaseRequest().title(text("title")).ruleSet("commercial"), null)));
        // Without credentials there is no key.
        PdfTemplatesApi templates = new PdfTemplatesApi(by("lose/no-key", null));
        System.out.println("without key: " + outcome(() -> templates.fillPdfTemplate(new FillPdfTemplateRequest().documentID("noticeOfHearing"))));
        System.out.println("busy: " + outcome(() -> new CasesApi(by("busy/list", person())).listCases(new ListCasesRequest())));
    }

    /** Without a key, too, it is sent again: nothing can have been done. */
    static void nobodyIsReached() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, here)) {
            port = free.getLocalPort();
        }
        PdfTemplatesApi templates = new PdfTemplatesApi(new Platform("http://" + here.getHostAddress() + ":" + port, null, new RetryPolicy(1000, 30, 0.02, 0.02)));
        FutureTask<String> call = new FutureTask<>(() -> outcome(() -> templates.fillPdfTemplate(new FillPdfTemplateRequest().documentID("noticeOfHearing"))));
        Thread caller = new Thread(call);
        caller.start();
        while (!call.isDone() && Arrays.stream(caller.getStackTrace()).noneMatch(frame -> frame.getMethodName().equals("pauses"))) {
            Thread.onSpinWait();
        }
        HttpServer late = HttpServer.create(new InetSocketAddress(here, port), 0);
        late.createContext("/", exchange -> {
            byte[] form = "%PDF-".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, form.length);
            exchange.getResponseBody().write(form);
            exchange.close();
        });
        late.start();
        System.out.println("unreached: " + call.get());
        late.stop(0);
    }

    static void limits() throws Exception {
        Credentials limited = Credentials.signIn("demo", text("limitedIdToken"));
        Platform patient = new Platform(text("limited"), limited, new RetryPolicy(8, 60, 0.5, 20));
        System.out.println("limited: " + atOnce(20, patient) + " answers");
        UsersApi users = new UsersApi(new Platform(text("limited"), limited, RetryPolicy.NONE));
        String outcome;
        do {
            outcome = outcome(users::viewCurrentUser);
        } while (outcome.startsWith("answered"));
        System.out.println("refused: " + outcome);
        System.out.println("later: " + outcome(() -> new CasesApi(by("later/hour", person())).listCases(new ListCasesRequest())));
    }

    static void pages() {
        CasesApi loop = new CasesApi(by("loop/cases", person()));
        System.out.println("loop: " + outcome(() -> Pages.items(cursor -> loop.listCases(new ListCasesRequest().limit(1).cursor(cursor)),
                CaseList::getCases, CaseList::getNextCursor).count()));
        CasesApi later = new CasesApi(by("later/page", person()));
        System.out.println("refused page: " + outcome(() -> {
            try {
                return Pages.items(cursor -> later.listCases(new ListCasesRequest().cursor(cursor)), CaseList::getCases, CaseList::getNextCursor).count();
            } catch (UncheckedApiException refused) {
                throw refused.getCause();
            }
        }));
    }

    static void webhooks() {
        for (JsonNode webhook : given.path("webhooks")) {
            List<String> secrets = new ArrayList<>();
            webhook.path("secrets").forEach(secret -> secrets.add(secret.asText()));
            String outcome;
            try {
                WebhookVerifier verifier = new WebhookVerifier(secrets, Duration.ofMinutes(5),
                        Clock.fixed(Instant.ofEpochSecond(webhook.path("now").asLong()), ZoneOffset.UTC));
                Webhook verified = verifier.verify(name -> webhook.path("headers").path(name).asText(null), Base64.getDecoder().decode(webhook.path("body").asText()));
                outcome = verified.id() + " " + verified.sandbox() + " " + (verified.event() instanceof DocketFilingEvent filing
                        ? "docket_filing of " + filing.getData().getDocumentID() : "other " + ((WebhookEvent) verified.event()).getEvent());
            } catch (WebhookException refused) {
                outcome = refused.getProblem().name().toLowerCase();
            } catch (IllegalArgumentException refused) {
                outcome = "secret: " + !refused.toString().contains(secrets.toString());
            }
            System.out.println("webhook " + webhook.path("name").asText() + ": " + outcome);
        }
    }

    static void uploads() throws Exception {
        Path large = Path.of(text("largeFile"));
        Platform platform = new Platform(text("url"), person());
        List<Long> told = Collections.synchronizedList(new ArrayList<>());
        EvidenceUpload upload = new Uploads(platform).createEvidenceUpload(text("caseID"), "correspondence", "Large 開庭通知", large,
                new UploadOptions().fileName("größer.txt").progress((sent, total) -> told.add(total == Long.parseLong(text("largeBytes")) ? sent : -1)));
        System.out.println("upload: " + upload.getUploadID() + ", rises " + told.equals(told.stream().sorted().toList())
                + ", pieces " + (told.size() > 100) + ", ends with all " + (told.get(told.size() - 1) == Files.size(large)));
        List<Long> again = Collections.synchronizedList(new ArrayList<>());
        Path small = Path.of(text("smallFile"));
        Uploads busy = new Uploads(by("busy/upload", person()));
        System.out.println("upload again: " + outcome(() -> busy.createEvidenceUpload(text("caseID"), "correspondence", "Again", small,
                new UploadOptions().progress((sent, total) -> again.add(sent)))) + ", told " + again.stream().filter(sent -> sent == small.toFile().length()).count() + " times");
        Path missing = Path.of(text("smallFile") + ".missing");
        System.out.println("no file: " + outcome(() -> new Uploads(platform).createEvidenceUpload(text("caseID"), "correspondence", "None", missing)));
        System.out.println("refused file: " + outcome(() -> new Uploads(platform).createEvidenceUpload("7", "correspondence", "None", small)));
        System.out.println("newer code: " + (ErrorCode.fromValue("filing.newer") == ErrorCode.UNKNOWN_DEFAULT_OPEN_API));
    }
}
