package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Message;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.FailException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emails that arrive at a mail server, read there by a mail library that is not ours, their signatures verified by another. */
class SmtpIT {

    @TempDir
    private static Path folder;

    private static GreenMail mail;
    private static RunningPlatform platform;
    private static Sender sender;
    private static String publicKey;

    private final String recipient = UUID.randomUUID() + "@example.org";

    @BeforeAll
    static void start() throws Exception {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        publicKey = Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
        Path keyFile = folder.resolve("dkim.pem");
        Files.writeString(keyFile, "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(keys.getPrivate().getEncoded())));
        platform = RunningPlatform.start(folder.resolve("data"), Map.of(
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_SMTP_FROM", "Schiedsstelle Zürich \uD83C\uDFDB <no-reply@arbitration.example>",
                "ACP_SMTP_DKIM_DOMAIN", "arbitration.example", "ACP_SMTP_DKIM_SELECTOR", "s1", "ACP_SMTP_DKIM_KEY_FILE", keyFile.toString()));
        sender = new Sender(platform);
    }

    @AfterAll
    static void stop() {
        platform.close();
        mail.stop();
    }

    private JsonObject email() {
        return new JsonObject().put("idempotencyKey", recipient).put("to", new JsonArray().add(recipient)).put("subject", "Hearing").put("html", "<p>Come.</p>");
    }

    private List<MimeMessage> arrived(String address) {
        return Arrays.stream(mail.getReceivedMessages()).filter(one -> isFor(one, address)).toList();
    }

    private static boolean isFor(MimeMessage message, String address) {
        try {
            return Arrays.stream(message.getRecipients(Message.RecipientType.TO)).anyMatch(to -> ((InternetAddress) to).getAddress().equals(address));
        } catch (jakarta.mail.MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    private MimeMessage sent(JsonObject email) {
        sender.send(email);
        sender.awaitState(recipient, "sent");
        assertThat(arrived(recipient)).hasSize(1);
        return arrived(recipient).getFirst();
    }

    private static byte[] bytes(MimeMessage message) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        message.writeTo(out);
        return out.toByteArray();
    }

    @Test
    void theHtmlArrivesByteForByteAsItIsRetrieved() throws Exception {
        String html = "<p>Ünïcödé \uD83C\uDFDB\r\n.\r\n..two dots\n\r mixed\n\n\n " + "long ".repeat(2000) + "</p>\n\n";
        MimeMessage message = sent(email().put("html", html));
        assertThat(message.getContentType()).isEqualTo("text/html; charset=utf-8");
        assertThat(new String(message.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(html);
        assertThat(sender.retrieve(recipient).getString("html")).isEqualTo(html);
        sender.awaitState(recipient, "sent");
        assertThat(sender.retrieveSent(recipient)).isEqualTo(200);
    }

    @Test
    void namesAndSubjectsOfAnyScriptArrive() throws Exception {
        String subject = "Anhörung \uD83C\uDFDB\uD83D\uDC69\u200D⚖️ im Fall «Линдквист» v. 港口 " + "ü".repeat(120) + "=?UTF-8?Q?x?=";
        MimeMessage message = sent(email().put("subject", subject)
                .put("to", new JsonArray().add("Клара \"K\" Öberg, Dr. 法官 <" + recipient + ">")));
        assertThat(message.getSubject()).isEqualTo(subject);
        InternetAddress to = (InternetAddress) message.getRecipients(Message.RecipientType.TO)[0];
        assertThat(to.getPersonal()).isEqualTo("Клара \"K\" Öberg, Dr. 法官");
        assertThat(to.getAddress()).isEqualTo(recipient);
        InternetAddress from = (InternetAddress) message.getFrom()[0];
        assertThat(from.getPersonal()).isEqualTo("Schiedsstelle Zürich \uD83C\uDFDB");
        assertThat(new String(bytes(message), StandardCharsets.ISO_8859_1).lines()).allSatisfy(line -> {
            assertThat(line.length()).isLessThanOrEqualTo(998);
            assertThat(line).matches("\\p{ASCII}*");
        });
    }

    @Test
    void aTemplateArrivesAsTextAndHtml() throws Exception {
        JsonObject email = new JsonObject().put("idempotencyKey", recipient).put("to", new JsonArray().add(recipient)).put("template", "case-created")
                .put("data", new JsonObject().put("caseTitle", "Cranes & Co. v. <Quarry>").put("createdAt", "21 November 2026, 09:30 UTC"));
        MimeMessage message = sent(email);
        MimeMultipart parts = (MimeMultipart) message.getContent();
        assertThat(message.getContentType()).startsWith("multipart/alternative");
        assertThat(parts.getCount()).isEqualTo(2);
        assertThat(parts.getBodyPart(0).getContentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat((String) parts.getBodyPart(0).getContent()).contains("Cranes & Co. v. <Quarry>");
        assertThat(parts.getBodyPart(1).getContentType()).isEqualTo("text/html; charset=utf-8");
        String html = new String(parts.getBodyPart(1).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(html).contains("Cranes &amp; Co. v. &lt;Quarry&gt;").isEqualTo(sender.retrieve(recipient).getString("html"));
        assertThat(message.getSubject()).isEqualTo("You take part in a new case: Cranes & Co. v. <Quarry>");
    }

    @Test
    void anEmailSaysThatAMachineSentItAndNamesItself() throws Exception {
        MimeMessage message = sent(email());
        String id = platform.rows("select email_id from emails.emails where ? in (sender_key, idempotency_key)", recipient).getFirst().getFirst();
        assertThat(message.getMessageID()).isEqualTo("<" + id + "@arbitration.example>");
        assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-generated");
        assertThat(message.getHeader("MIME-Version")).containsExactly("1.0");
        assertThat(message.getSentDate()).isNotNull();
        for (String header : List.of("From", "To", "Subject", "Date", "Message-ID", "Content-Type")) {
            assertThat(message.getHeader(header)).as(header).hasSize(1);
        }
    }

    private List<SignatureRecord> verify(byte[] message) throws Exception {
        DKIMVerifier verifier = new DKIMVerifier((method, selector, domain) -> {
            assertThat(selector + "._domainkey." + domain).isEqualTo("s1._domainkey.arbitration.example");
            return List.of("v=DKIM1; k=rsa; p=" + publicKey);
        });
        return verifier.verify(new ByteArrayInputStream(message));
    }

    @Test
    void theSignatureOfTheDomainIsVerifiedByAnotherImplementation() throws Exception {
        List<JsonObject> emails = List.of(
                email().put("html", "<p>Ünïcödé\n\n\n</p>\n\n").put("subject", "Folded and encoded: " + "ä".repeat(200)),
                new JsonObject().put("idempotencyKey", "b-" + recipient).put("to", new JsonArray(List.of("b-" + recipient, "Ä Ö <c-" + recipient + ">")))
                        .put("template", "case-created").put("data", new JsonObject().put("caseTitle", "Cranes").put("createdAt", "today")));
        for (JsonObject email : emails) {
            sender.send(email);
            String address = email.getString("idempotencyKey");
            sender.awaitState(address, "sent");
            byte[] message = bytes(arrived(address).getFirst());
            assertThat(verify(message)).singleElement().satisfies(signature ->
                    assertThat(signature.getHeaders()).extracting(Object::toString).map(String::toLowerCase).contains("from", "to", "subject", "message-id"));
            String tampered = new String(message, StandardCharsets.ISO_8859_1).replaceFirst("Auto-Submitted", "Auto-Submittet");
            assertThat(verify(tampered.getBytes(StandardCharsets.ISO_8859_1))).as("a header that is not signed may change").hasSize(1);
            assertThat(fails(message, "Message-ID: <", "Message-ID: <0")).isTrue();
            assertThat(fails(message, "PHA\\+", "PHB+") || fails(message, "PCFE", "PCFF")).as("the body is signed").isTrue();
        }
    }

    private boolean fails(byte[] message, String original, String changed) throws Exception {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        String tampered = text.replaceFirst(original, changed);
        if (tampered.equals(text)) {
            return false;
        }
        try {
            verify(tampered.getBytes(StandardCharsets.ISO_8859_1));
            return false;
        } catch (FailException refused) {
            return true;
        }
    }
}
