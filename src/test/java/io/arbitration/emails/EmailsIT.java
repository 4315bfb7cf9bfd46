package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepting, holding and retrieving emails, on a platform without a mail server. */
class EmailsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String SENDER = PLATFORM.machine("emails.email.sender");

    private final String key = "test-" + UUID.randomUUID();

    private JsonObject email() {
        return new JsonObject().put("idempotencyKey", key).put("to", new JsonArray().add(address()))
                .put("subject", "Hearing on Monday").put("html", "<p>Come &amp; see.</p>");
    }

    private String address() {
        return key + "@example.org";
    }

    private Answer send(JsonObject email) {
        return PLATFORM.post("/emails/email/send", email, SENDER);
    }

    private Answer retrieve() {
        return PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key), SENDER);
    }

    private void isRefused(JsonObject email, String message) {
        Answer answer = send(email);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.sentence()).isEqualTo(message);
        assertThat(answer.header("Error-Code")).isEqualTo("request.invalid");
        assertThat(retrieve().status()).as("nothing was kept").isEqualTo(404);
    }

    private List<List<String>> deliveries() {
        return PLATFORM.rows("""
                select d.recipient, d.state from emails.deliveries d join emails.emails e using (email_id)
                where ? in (e.sender_key, e.idempotency_key) order by d.delivery_id
                """, key);
    }

    @Test
    void whatWasSentIsRetrievedByteForByte() {
        String html = "<!DOCTYPE html>\r\n<p title=\"\u00e4\">Ünïcödé \uD83C\uDFDB \t x\n\n\r  &nbsp;</p>  ";
        Answer sent = send(email().put("html", html).put("subject", "  Anhörung \uD83C\uDFDB am Montag "));
        assertThat(sent.status()).as(sent.body()).isEqualTo(200);
        assertThat(sent.sentence()).isEqualTo("Email accepted.");
        assertThat(retrieve().object()).isEqualTo(new JsonObject().put("html", html).put("subject", "  Anhörung \uD83C\uDFDB am Montag "));
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key).put("sent", true), SENDER).sentence())
                .as("it is held, and no mail server has taken it").isEqualTo("no email found for the given idempotency key");
    }

    @Test
    void withoutAMailServerAnEmailIsHeld() {
        send(email().put("to", new JsonArray(List.of("Clara \"C\" Claimant <" + address() + ">", "b-" + address()))));
        assertThat(deliveries()).containsExactly(List.of(address(), "held"), List.of("b-" + address(), "held"));
        assertThat(PLATFORM.rows("select 1 from platform.queue_items q join emails.deliveries d on q.queue = 'emails' and q.key = d.delivery_id where d.recipient = ?", address())).isEmpty();
    }

    @Test
    void theSameKeyAgainIsAnsweredTheSameAndChangesNothing() {
        send(email());
        for (JsonObject again : List.of(email(), email().put("subject", "Another").put("html", "x"), email().put("to", new JsonArray().add("other@example.org")))) {
            assertThat(send(again).sentence()).isEqualTo("Email accepted.");
        }
        assertThat(retrieve().object().getString("subject")).isEqualTo("Hearing on Monday");
        assertThat(deliveries()).hasSize(1);
    }

    @Test
    void ofManyWithTheSameKeyAtOnceOneIsKept() {
        List<CompletableFuture<Answer>> all = IntStream.range(0, 12)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> send(email().put("subject", "Number " + i)))).toList();
        assertThat(all).allSatisfy(one -> assertThat(one.join().sentence()).isEqualTo("Email accepted."));
        assertThat(deliveries()).hasSize(1);
    }

    @Test
    void aRecipientNamedTwiceGetsOneCopy() {
        send(email().put("to", new JsonArray(List.of(address(), "Clara <" + address() + ">"))));
        assertThat(deliveries()).hasSize(1);
    }

    @Test
    void anUnknownKeyIsNotFound() {
        Answer answer = retrieve();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("\"no email found for the given idempotency key\"");
    }

    @Test
    void noKeyIsLongerThanTwoHundredCharacters() {
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", "k".repeat(201)), SENDER).sentence())
                .isEqualTo("idempotencyKey: at most 200 characters");
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", ""), SENDER).status()).isEqualTo(400);
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", "k".repeat(200)), SENDER).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "clara@example.org\r\nBcc: all@example.org", "clara@example.org\n", "\nclara@example.org", "Clara\r\nBcc: x@example.org <clara@example.org>",
            "Clara\u0000 <clara@example.org>", "Clara\u0085 <clara@example.org>", "Clara\t<clara@example.org>", "clara@example.org\u007f"})
    void anAddressOrNameWithAControlCharacterIsRefused(String to) {
        String expected = to.indexOf(0) >= 0 ? "to/0: must not contain the character NUL" : "to/0: must not contain line breaks or other control characters";
        isRefused(email().put("to", new JsonArray().add(to)), expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hearing\r\nBcc: all@example.org", "Hearing\n", "\rHearing", "Hearing\u0085x", "Hea\u0007ring"})
    void aSubjectWithAControlCharacterIsRefused(String subject) {
        isRefused(email().put("subject", subject), "subject: must not contain line breaks or other control characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "clara", "@example.org", "clara@", "cla ra@example.org", "clara@exa_mple.org", "clara@-example.org", "clara@example..org", "a..b@example.org",
            "<clara@example.org", "Clara <clara@example.org> x", "clara@example.org, rolf@example.org", "clära@example.org", "clara@[127.0.0.1]",
            "Clara <>", "clara@example.org>"})
    void whatIsNoAddressIsRefused(String to) {
        isRefused(email().put("to", new JsonArray().add(to)),
                "to/0: must be an email address, or a name and an address as in Clara Claimant <clara@example.org>");
    }

    @Test
    void aDomainInAnotherScriptGoesOutInItsAsciiForm() {
        send(email().put("to", new JsonArray().add("clara@bücher.example")));
        assertThat(deliveries()).containsExactly(List.of("clara@xn--bcher-kva.example", "held"));
    }

    /** Whoever may send could otherwise take the keys of others, so that their emails are never sent, and read what they sent. */
    @Test
    void aKeyBelongsToItsSender() {
        String other = PLATFORM.machine("emails.email.sender");
        assertThat(send(email()).sentence()).isEqualTo("Email accepted.");
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key), other).status()).isEqualTo(404);
        assertThat(PLATFORM.post("/emails/email/send", email().put("html", "<p>Another.</p>"), other).sentence()).isEqualTo("Email accepted.");
        assertThat(deliveries()).as("both are sent").hasSize(2);
        assertThat(retrieve().object().getString("html")).isEqualTo("<p>Come &amp; see.</p>");
        assertThat(PLATFORM.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key), other).object().getString("html"))
                .isEqualTo("<p>Another.</p>");
        // Each of them once, and what the platform sends with such a key besides.
        send(email());
        PLATFORM.vertx().eventBus().request(Addresses.EMAILS_SEND, email().put("html", "<p>Of the platform.</p>")).toCompletionStage().toCompletableFuture().join();
        assertThat(deliveries()).hasSize(3);
        assertThat(retrieve().object().getString("html")).isEqualTo("<p>Come &amp; see.</p>");
    }

    /** What nodes of the release before accepted stands under the key as its sender gave it, and theirs must not come twice either. */
    @Test
    void whileAReleaseRollsOutAKeyIsSentOnceByOldNodesAndNew() throws Exception {
        String sender = PLATFORM.rows("select sender_id from emails.emails where sender_id is not null limit 1").stream().findFirst().map(List::getFirst)
                .orElseGet(() -> {
                    send(email().put("idempotencyKey", "first-" + key));
                    return PLATFORM.rows("select sender_id from emails.emails where sender_key = ?", "first-" + key).getFirst().getFirst();
                });
        String old = """
                insert into emails.emails (email_id, idempotency_key, sender_id, from_mailbox, to_mailboxes, subject, html, accepted_at)
                values (gen_random_uuid(), ?, ?::uuid, 'a@example.org', array['b@example.org'], 'S', '<p>Old.</p>', now())
                on conflict (idempotency_key) do nothing returning email_id
                """;
        assertThat(PLATFORM.rows(old, key, sender)).hasSize(1);
        EmailRepository emails = new EmailRepository(PLATFORM.database());
        UUID senderId = UUID.fromString(sender);
        assertThat(io.arbitration.Await.result(emails.isKnown(new EmailKey(java.util.Optional.of(senderId), key)))).isTrue();
        assertThat(io.arbitration.Await.result(emails.isKnown(new EmailKey(java.util.Optional.of(UUID.randomUUID()), key)))).isFalse();
        assertThat(io.arbitration.Await.result(emails.sent(senderId, key)).orElseThrow().html()).isEqualTo("<p>Old.</p>");
        String mine = "mine-" + key;
        send(email().put("idempotencyKey", mine));
        String me = PLATFORM.rows("select sender_id from emails.emails where sender_key = ?", mine).getFirst().getFirst();
        assertThat(PLATFORM.rows(old, mine, me)).as("an old node asked again").isEmpty();
    }

    @Test
    void anEmailSaysWhatItIsMadeOf() {
        isRefused(email().put("template", "docket-filing"), "body: give either html, or template and data");
        JsonObject neither = email();
        neither.remove("html");
        isRefused(neither, "body: give either html, or template and data");
        JsonObject noSubject = email();
        noSubject.remove("subject");
        isRefused(noSubject, "subject: is required beside html");
        isRefused(email().put("data", new JsonObject()), "data: belongs to a template");
        isRefused(email().put("to", new JsonArray()), "to: at least 1 entry");
    }

    private JsonObject filled(JsonObject values) {
        return new JsonObject().put("idempotencyKey", key).put("to", new JsonArray().add(address())).put("template", "webhook-disabled").put("data", values);
    }

    private static JsonObject values() {
        return new JsonObject().put("url", "https://hooks.example/?a=1&b=<2>").put("reason", "It answered \"410 Gone\".");
    }

    @Test
    void aTemplateIsFilledAndItsValuesAreEscapedInHtmlAlone() {
        assertThat(send(filled(values())).sentence()).isEqualTo("Email accepted.");
        JsonObject sent = retrieve().object();
        assertThat(sent.fieldNames()).containsExactlyInAnyOrder("html", "subject");
        assertThat(sent.getString("subject")).isEqualTo("Your webhook was disabled");
        assertThat(sent.getString("html")).contains("https://hooks.example/?a=1&amp;b=&lt;2&gt;", "It answered &quot;410 Gone&quot;.").doesNotContain("<2>", "{{");
        assertThat(PLATFORM.rows("select text from emails.emails where sender_key = ?", key).getFirst().getFirst())
                .contains("https://hooks.example/?a=1&b=<2>", "It answered \"410 Gone\".").doesNotContain("&amp;", "Organization:");
    }

    @Test
    void aSubjectBesideATemplateTakesThePlaceOfItsOwn() {
        send(filled(values()).put("subject", "About your <webhook>"));
        assertThat(retrieve().object().getString("subject")).isEqualTo("About your <webhook>");
    }

    @Test
    void aTemplateIsFilledWithItsVariablesAndNoOthers() {
        isRefused(filled(values().put("colour", "red")), "data/colour: is not a variable of the template webhook-disabled");
        JsonObject lacking = values();
        lacking.remove("reason");
        isRefused(filled(lacking), "data/reason: is required by the template webhook-disabled");
        isRefused(filled(values().putNull("reason")), "data/reason: is required by the template webhook-disabled");
    }

    @Test
    void aKnownKeyIsAnsweredTheSameThoughItsTemplateWouldBeRefusedNow() {
        send(filled(values()));
        assertThat(send(filled(values()).put("template", "gone")).sentence()).isEqualTo("Email accepted.");
        assertThat(send(filled(new JsonObject().put("colour", "red"))).sentence()).isEqualTo("Email accepted.");
        assertThat(deliveries()).hasSize(1);
    }

    @Test
    void noValueOfATemplateBreaksOutOfTheSubject() {
        JsonObject values = new JsonObject().put("caseTitle", "Cranes\r\nBcc: all@example.org").put("createdAt", "today");
        isRefused(filled(values).put("template", "case-created"), "subject: must not contain line breaks or other control characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "../email/docket-filing", "layout.html", "docket-filing/"})
    void anUnknownTemplateIsNotFound(String name) {
        Answer answer = send(filled(new JsonObject()).put("template", name));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.sentence()).isEqualTo("template not found");
    }

    @Test
    void anotherAreaSendsOverTheEventBus() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(PLATFORM.vertx().eventBus().request(Addresses.EMAILS_SEND, email()).toCompletionStage().toCompletableFuture().get().body())
                    .isEqualTo("Email accepted.");
        }
        assertThat(retrieve().object().getString("html")).isEqualTo("<p>Come &amp; see.</p>");
        assertThat(deliveries()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{}|400|idempotencyKey: is required",
            "{\"idempotencyKey\": 7}|400|idempotencyKey: must be a string",
            "{\"idempotencyKey\": \"k\", \"to\": \"a@b.c\", \"subject\": \"s\", \"html\": \"h\"}|400|to: must be an array with an entry",
            "{\"idempotencyKey\": \"k\", \"to\": [7], \"subject\": \"s\", \"html\": \"h\"}|400|to/0: must be a string",
            "{\"idempotencyKey\": \"k\", \"to\": [\"a@b.c\"], \"template\": \"none\"}|404|template not found",
            "{\"idempotencyKey\": \"k\", \"to\": [\"a@b.c\"], \"template\": \"none\", \"data\": 7}|400|data: must be an object"})
    void anotherAreaIsToldOfARefusal(String request, int status, String message) {
        assertThatThrownBy(() -> PLATFORM.vertx().eventBus().request(Addresses.EMAILS_SEND, new JsonObject(request)).toCompletionStage().toCompletableFuture().join())
                .cause().isInstanceOfSatisfying(ReplyException.class, failure -> {
                    assertThat(failure.failureCode()).isEqualTo(status);
                    assertThat(failure.getMessage()).isEqualTo(message);
                });
    }

    @Test
    void heldEmailsAreShownInASandboxOnALocalPage() {
        String hostile = "<script>document.title='taken'</script><img src=\"https://tracker.example/1.png\">";
        send(email().put("subject", "<script>alert(1)</script> & \"more\"").put("html", hostile));
        Answer page = PLATFORM.get("/emails/held");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none';").doesNotContain("script");
        assertThat(page.body()).contains("To " + address(), "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;").doesNotContain("<script");
        String id = PLATFORM.rows("select email_id from emails.emails where sender_key = ?", key).getFirst().getFirst();
        assertThat(page.body()).contains("<iframe sandbox title=").contains("src=\"held/" + id + "\"");
        Answer email = PLATFORM.get("/emails/held/" + id);
        assertThat(email.body()).isEqualTo(hostile);
        assertThat(email.header("Content-Security-Policy")).startsWith("sandbox; default-src 'none';").doesNotContain("allow-", "script");
        Answer unknown = PLATFORM.get("/emails/held/" + UUID.randomUUID());
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.sentence()).isEqualTo("email not found");
        assertThat(PLATFORM.get("/emails/held/x").status()).isEqualTo(404);
    }

    @Test
    void whatWasAcceptedCanNotBeChangedInTheDatabase() {
        send(email());
        for (String change : List.of("update emails.emails set html = 'other'", "delete from emails.emails", "truncate emails.emails cascade")) {
            assertThatThrownBy(() -> {
                try (var sql = PLATFORM.sql(); var statement = sql.createStatement()) {
                    statement.execute(change);
                }
            }).hasMessageContaining("emails is append-only");
        }
        assertThat(retrieve().status()).isEqualTo(200);
    }
}
