package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

/**
 * Every operation of every contract, called by each of those who must not see a sealed entry: nothing that is answered has any of it,
 * not in the answer itself, in an archive or in the text of a PDF. The case manager finds all of it in the same answers, so that the
 * test would notice.
 */
class SealedEverywhereIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private final OpenCase open = OpenCase.on(PLATFORM);
    /** Each stands in one place of the sealed entry alone. */
    private final String inTitle = marker();
    private final String inFields = marker();
    private final String inReason = marker();
    private final String inFile = marker();
    private final String inFileName = marker();
    private final Map<String, Object> names = new HashMap<>();

    /** What ends a case, a part in it, a session or the seal itself, in this order: it comes when all else has been asked. */
    private static final List<String> LAST = List.of("leaveOrganization", "withdrawKey", "revokeSession", "signOut", "removeParticipant", "disableUser",
            "closeCase", "unsealDocketEntry");
    /** Steps of a sign-in, which answer to what a browser or a provider has begun; none of them reads of cases. */
    private static final List<String> WITHOUT_FORM = List.of("authorizeInDemo", "finishBrowserSignIn", "issueDemoTokens", "logOutByProvider");
    /** What some operations are asked in place of what all are asked; null: leave it out. */
    private static final Map<String, JsonObject> OWN = Map.of(
            "createNoticeAttachment", new JsonObject().put("mailType", "trademarkNotice").put("url", "http://127.0.0.1:1/"),
            "createOrganizationInvitation", new JsonObject().putNull("userID"),
            "revokeSession", new JsonObject().putNull("sessionID"));
    private static final Set<String> ENDING_SESSIONS = Set.of("revokeSession", "signOut");

    /** @param streams whether it answers for as long as somebody listens */
    private record Operation(String id, String method, String path, JsonObject contract, JsonObject body, boolean streams) {

        String pathOfNothing() {
            return path.replace("{idp}", "demo").replaceAll("\\{\\w+}", UUID.randomUUID().toString());
        }
    }

    private static String marker() {
        return "m" + UUID.randomUUID().toString().replace("-", "");
    }

    private static List<Operation> operations() {
        Map<String, JsonObject> contracts = new HashMap<>();
        return ShippedContracts.operations().stream().map(one -> new Operation(one.id(), one.method(), one.path(),
                contracts.computeIfAbsent(one.file(), file -> new JsonObject(one.contract().toString())),
                one.node().has("requestBody") ? new JsonObject(one.node().get("requestBody").toString()) : new JsonObject(),
                one.node().get("responses").toString().contains("text/event-stream"))).toList();
    }

    /** What a caller would send who is after the sealed entry: its ids wherever an id is asked for, else what the contract shows. */
    private JsonObject body(Operation operation) {
        JsonObject content = operation.body.getJsonObject("content", new JsonObject());
        if (content.isEmpty()) {
            return new JsonObject();
        }
        JsonObject media = (JsonObject) content.iterator().next().getValue();
        JsonObject schema = media.getJsonObject("schema", new JsonObject());
        if (schema.containsKey("$ref")) {
            schema = operation.contract.getJsonObject("components").getJsonObject("schemas").getJsonObject(schema.getString("$ref").replaceAll(".*/", ""));
        }
        JsonObject example = media.getValue("example") instanceof JsonObject shown ? shown.copy()
                : media.getJsonObject("examples", new JsonObject()).stream().map(one -> ((JsonObject) one.getValue()).getValue("value"))
                        .filter(JsonObject.class::isInstance).map(JsonObject.class::cast).findFirst().map(JsonObject::copy).orElseGet(JsonObject::new);
        Set<String> required = new TreeSet<>(schema.getJsonArray("required", new JsonArray()).stream().map(String::valueOf).toList());
        JsonObject body = new JsonObject();
        schema.getJsonObject("properties", new JsonObject()).fieldNames().forEach(name -> {
            if (names.containsKey(name) && !(names.get(name) == null && required.contains(name))) {
                body.put(name, names.get(name));
            } else if (required.contains(name) || example.containsKey(name)) {
                body.put(name, example.getValue(name));
            }
        });
        return body.mergeIn(OWN.getOrDefault(operation.id, new JsonObject()));
    }

    private Answer call(Operation operation, String token) {
        JsonObject body = body(operation);
        String path = operation.pathOfNothing();
        if (operation.method.equals("get")) {
            return PLATFORM.get(path, "Authorization", "Bearer " + token);
        }
        String type = operation.body.getJsonObject("content", new JsonObject()).stream().map(Map.Entry::getKey).findFirst().orElse("application/json");
        if (type.startsWith("multipart/")) {
            Form form = new Form();
            body.stream().filter(field -> !field.getKey().equals("file") && field.getValue() != null).forEach(field -> form.field(field.getKey(), String.valueOf(field.getValue())));
            return form.file("a.pdf", Filed.PDF, SamplePdfs.saying("Nothing of it.")).postTo(PLATFORM, path, token);
        }
        if (type.equals("application/x-www-form-urlencoded")) {
            String form = body.stream().map(field -> field.getKey() + "=" + URLEncoder.encode(String.valueOf(field.getValue()), StandardCharsets.UTF_8))
                    .collect(Collectors.joining("&"));
            return PLATFORM.post(path, HttpRequest.BodyPublishers.ofString(form), type, token);
        }
        return PLATFORM.post(path, body, token);
    }

    /** All that an answer says: its head, its bytes, the files of an archive, the text of a PDF, and a token's or receipt's payload. */
    private static String told(Answer answer) throws IOException {
        return answer.response().headers().map() + told(answer.response().body());
    }

    private static String told(byte[] bytes) throws IOException {
        StringBuilder all = new StringBuilder(new String(bytes, StandardCharsets.UTF_8));
        if (bytes.length > 4 && bytes[0] == 'P' && bytes[1] == 'K') {
            try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    ByteArrayOutputStream content = new ByteArrayOutputStream();
                    zip.transferTo(content);
                    all.append('\n').append(entry.getName()).append('\n').append(told(content.toByteArray()));
                }
            }
        } else if (bytes.length > 4 && new String(bytes, 0, 5, StandardCharsets.ISO_8859_1).equals("%PDF-")) {
            try (var document = Loader.loadPDF(bytes)) {
                all.append(new PDFTextStripper().getText(document)).append(document.getDocumentInformation().getTitle());
            }
        } else {
            for (String part : all.toString().split("[.\"]")) {
                if (part.length() > 20 && part.matches("[A-Za-z0-9_-]+")) {
                    try {
                        all.append(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
                    } catch (IllegalArgumentException notBase64) {
                        continue;
                    }
                }
            }
        }
        return all.toString();
    }

    private List<String> markersIn(String told) {
        return Stream.of(inTitle, inFields, inReason, inFile, inFileName).filter(told::contains).toList();
    }

    private JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private void seal() {
        JsonObject organization = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Quarry"), open.respondent().token()));
        String filing = ok(open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("title", "On " + inTitle)
                .put("fields", new JsonObject().put("subject", inFields).put("body", "Of " + inFields)))).getString("filingID");
        JsonObject file = new Filed(open).taken(open.claimant(), filing, inFileName + ".pdf", SamplePdfs.saying("What " + inFile + " said."));
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        String entry = open.view(open.claimant(), filing).getString("entryID");
        JsonObject notice = ok(open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", entry).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.manager().id())))));
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entry).put("visibleTo", new JsonArray())
                .put("reason", "Because of " + inReason)).status()).isEqualTo(200);
        names.putAll(Map.of("caseID", open.caseId(), "entryID", entry, "filingID", filing, "noticeID", notice.getString("noticeID"),
                "organizationID", organization.getString("organizationID"), "query", inTitle, "supersedes", entry, "parentEntryID", entry));
        names.put("fileID", file.getString("fileID"));
        names.put("gsUrl", file.getString("gsUrl"));
        names.put("documents", new JsonArray().add(new JsonObject().put("gsUrl", file.getString("gsUrl")).put("contentType", "application/pdf")));
        names.put("exhibits", new JsonArray());
        names.put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())));
        names.put("userID", open.respondent().id());
        names.put("kinds", null);
        names.put("mailType", "docketNotice");
        Stream.of("cursor", "limit", "state", "documentID", "partyID", "phaseID", "afterEntryID", "images", "json", "events", "from", "until").forEach(name -> names.put(name, null));
    }

    private void awaitIndexed() {
        Await.until(() -> !PLATFORM.rows(
                "select 1 from search.documents d where d.file_id = ?::bigint", String.valueOf(names.get("fileID"))).isEmpty());
        Await.until(() -> !PLATFORM.rows("select 1 from search.documents d where d.filing_id = ?::bigint and kind = 'filing'", String.valueOf(names.get("filingID"))).isEmpty());
    }

    @Test
    void noOperationTellsOfASealedEntryToWhoeverMustNotSeeIt() throws IOException {
        Person friend = PLATFORM.signIn("friend-" + UUID.randomUUID() + "@example.org", "Fred", "Friend");
        open.add(open.manager(), friend, "respondent", true);
        Map<String, Person> callers = new TreeMap<>(Map.of("respondent", open.respondent(), "observer of the respondent", friend,
                "outsider", open.outsider(), "super administrator", PLATFORM.administrator()));
        List<Operation> operations = operations();
        assertThat(operations).hasSizeGreaterThan(100);
        List<String> leaks = new ArrayList<>();
        Map<String, Integer> shown = new TreeMap<>();
        Map<String, Set<Integer>> answered = new TreeMap<>();
        try (Listeners listeners = new Listeners()) {
            for (Operation operation : operations.stream().filter(Operation::streams).toList()) {
                callers.forEach((name, caller) -> listeners.listen(operation, name, caller.token()));
                listeners.listen(operation, "case manager", open.manager().token());
            }
            seal();
            awaitIndexed();
            for (Operation operation : inOrder(operations)) {
                boolean isLast = LAST.contains(operation.id);
                if (isLast) {
                    // Whom the last operations are about: the others go on asking.
                    names.putAll(Map.of("userID", friend.id(), "kid", "no-such-key", "sessionID", "no-such-session"));
                    names.put("all", null);
                }
                for (Map.Entry<String, Person> caller : callers.entrySet()) {
                    Answer answer = call(operation, ENDING_SESSIONS.contains(operation.id) ? again(caller.getValue()) : caller.getValue().token());
                    answered.computeIfAbsent(operation.id, first -> new TreeSet<>()).add(answer.status());
                    // The page of a demonstration shows every email that would have been sent, to whom it may be: there are no secrets there.
                    if (!operation.id.startsWith("showHeldEmail") && !markersIn(told(answer)).isEmpty()) {
                        leaks.add("%s as %s: %d %s".formatted(operation.id, caller.getKey(), answer.status(), answer.body()));
                    }
                }
                Answer ofManager = call(operation, ENDING_SESSIONS.contains(operation.id) ? again(open.manager()) : open.manager().token());
                answered.get(operation.id).add(ofManager.status());
                shown.put(operation.id, markersIn(told(ofManager)).size());
            }
            listeners.heard().forEach((who, said) -> {
                answered.computeIfAbsent(who.operation, first -> new TreeSet<>()).add(said.isEmpty() ? 0 : 200);
                if (!markersIn(said).isEmpty() && !who.caller.equals("case manager")) {
                    leaks.add("%s as %s: %s".formatted(who.operation, who.caller, said));
                }
            });
        }
        assertThat(leaks).isEmpty();
        // Whoever sees the entry is shown it by the same requests.
        Map.of("viewDocketEntry", 4, "viewFiling", 3, "listDocketEntries", 1, "renderDocketEntry", 2, "exportCase", 2, "listFilings", 2, "proveNotice", 2,
                "searchCases", 2, "listFilingFiles", 1, "downloadFilingFile", 1).forEach((operation, least) -> assertThat(shown.get(operation)).as(operation).isGreaterThanOrEqualTo(least));
        // What is refused for its form asks nothing: an operation that is new here needs what its request names, above.
        assertThat(answered.keySet().stream().filter(one -> Set.of(0, 400, 415).containsAll(answered.get(one))).toList())
                .as("operations whose request had not the form that they ask for").containsExactlyInAnyOrderElementsOf(WITHOUT_FORM);
    }

    private static List<Operation> inOrder(List<Operation> operations) {
        return Stream.concat(operations.stream().filter(operation -> !operation.streams && !LAST.contains(operation.id)),
                LAST.stream().map(id -> operations.stream().filter(operation -> operation.id.equals(id)).findFirst().orElseThrow())).toList();
    }

    /** Another session of somebody, which may end. */
    private static String again(Person person) {
        return PLATFORM.signIn(person.email(), "Any", "Body").token();
    }

    /** Those who listen to operations that stream. */
    private static final class Listeners implements AutoCloseable {

        record Who(String operation, String caller) {}

        private final HttpClient client = HttpClient.newHttpClient();
        private final Map<Who, StringBuffer> heard = new HashMap<>();

        void listen(Operation operation, String caller, String token) {
            StringBuffer all = new StringBuffer();
            heard.put(new Who(operation.id, caller), all);
            HttpRequest request = HttpRequest.newBuilder(URI.create(PLATFORM.url() + operation.pathOfNothing())).header("Authorization", "Bearer " + token).build();
            client.sendAsync(request, HttpResponse.BodyHandlers.fromLineSubscriber(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(String line) {
                    all.append(line).append('\n');
                }

                @Override
                public void onError(Throwable broken) {
                    all.append(broken);
                }

                @Override
                public void onComplete() {}
            }));
        }

        Map<Who, String> heard() {
            Map<Who, String> said = new HashMap<>();
            heard.forEach((who, all) -> said.put(who, all.toString()));
            return said;
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }

    @Test
    void nothingIsSentToWhoeverMustNotSeeIt() {
        JsonObject sealed = new JsonObject().put("visibleTo", new JsonArray()).put("reason", "Because of " + inReason);
        String filing = ok(open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.UNAPPROVED_DOCUMENT).put("title", "On " + inTitle)
                .put("fields", OpenCase.completeFields(OpenCase.UNAPPROVED_DOCUMENT).put("counselName", inFields)).put("sealed", sealed))).getString("filingID");
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        String toManager = "select 1 from emails.emails e join emails.deliveries d on d.email_id = e.email_id where d.recipient = ? and e.html like ?";
        Await.until(() -> !PLATFORM.rows(toManager, open.manager().email(), "%" + inTitle + "%").isEmpty());
        Await.until(() -> !PLATFORM.rows(toManager, open.respondent().email(), "%Sealed document%").isEmpty());
        for (String part : List.of(inTitle, inFields, inReason)) {
            assertThat(PLATFORM.rows(toManager, open.respondent().email(), "%" + part + "%")).isEmpty();
            assertThat(PLATFORM.rows("select 1 from platform.events where case_id = ?::uuid and envelope like ?", open.caseId(), "%" + part + "%")).isEmpty();
            assertThat(PLATFORM.rows("select 1 from platform.audit where case_id = ?::uuid and subject like ?", open.caseId(), "%" + part + "%")).isEmpty();
        }
    }
}
