package io.arbitration.emails.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.emails.AcceptedEmail;
import io.arbitration.emails.CalendarPart;
import io.arbitration.emails.EmailKey;
import io.arbitration.emails.RenderedEmail;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The message of an email, read back by a mail library that is not ours. */
class MimeMessageTest {

    private static final UUID ID = UUID.fromString("7c9e6679-7425-40de-944b-e07fc1f90ae7");
    private static final Instant AT = Instant.parse("2026-11-02T09:30:05.123Z");

    private static AcceptedEmail email(String subject, String name, String html, String text) {
        return new AcceptedEmail(ID, new EmailKey(Optional.empty(), "key"), Mailbox.parse("Registry <no-reply@arbitration.example>"),
                List.of(new Mailbox(name, "clara@example.org")), new RenderedEmail(subject, html, Optional.ofNullable(text)), Optional.empty(), AT, List.of());
    }

    private static String wire(MimeMessage message) {
        StringBuilder wire = new StringBuilder();
        message.headers().forEach((name, value) -> wire.append(name).append(": ").append(value).append("\r\n"));
        return wire.append("\r\n").append(message.body().replace("\n", "\r\n")).toString();
    }

    private static jakarta.mail.internet.MimeMessage read(String wire) throws MessagingException {
        return new jakarta.mail.internet.MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(wire.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void itIsAFunctionOfTheEmailAlone() {
        assertThat(MimeMessage.of(email("Hearing", "", "<p>x</p>", "x"), List.of())).isEqualTo(MimeMessage.of(email("Hearing", "", "<p>x</p>", "x"), List.of()));
    }

    @Test
    void itsHeadersAreThoseOfTheRfc() {
        assertThat(wire(MimeMessage.of(email("Hearing", "Clara \"C\" Claimant", "<p>x</p>", null), List.of()))).isEqualTo("""
                Date: Mon, 2 Nov 2026 09:30:05 +0000
                From: "Registry"
                 <no-reply@arbitration.example>
                To: "Clara \\"C\\" Claimant"
                 <clara@example.org>
                Subject: Hearing
                Message-ID: <7c9e6679-7425-40de-944b-e07fc1f90ae7@arbitration.example>
                MIME-Version: 1.0
                Auto-Submitted: auto-generated
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: base64

                PHA+eDwvcD4=
                """.replace("\n", "\r\n"));
    }

    @Provide
    Arbitrary<String> lines() {
        return Arbitraries.strings().ofMinLength(1).ofMaxLength(120)
                .filter(text -> text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c)) || isWhole(text));
    }

    /** No control characters, and no half of a pair. */
    private static boolean isWhole(String text) {
        return text.chars().noneMatch(Character::isISOControl) && StandardCharsets.UTF_16.newEncoder().canEncode(text);
    }

    @Test
    void anEntryForACalendarIsTheLastFormOfTheText() throws MessagingException, IOException {
        AcceptedEmail plain = email("Hearing", "", "<p>On Monday.</p>", "On Monday.");
        AcceptedEmail invited = new AcceptedEmail(plain.id(), plain.key(), plain.from(), plain.to(), plain.content(), plain.template(), plain.acceptedAt(),
                List.of(), Optional.of(new CalendarPart("REQUEST", "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Anh\u00F6rung\r\nEND:VCALENDAR\r\n")));
        jakarta.mail.internet.MimeMessage message = read(wire(MimeMessage.of(invited, List.of())));
        jakarta.mail.internet.MimeMultipart forms = (jakarta.mail.internet.MimeMultipart) message.getContent();
        assertThat(forms.getContentType()).startsWith("multipart/alternative");
        assertThat(forms.getCount()).isEqualTo(3);
        jakarta.mail.internet.ContentType type = new jakarta.mail.internet.ContentType(forms.getBodyPart(2).getContentType());
        assertThat(type.getBaseType()).isEqualTo("text/calendar");
        assertThat(type.getParameter("method")).isEqualTo("REQUEST");
        assertThat(type.getParameter("charset")).isEqualTo("utf-8");
        assertThat(new String(forms.getBodyPart(2).getInputStream().readAllBytes(), StandardCharsets.UTF_8)).contains("SUMMARY:Anh\u00F6rung\r\n");
    }

    @Property
    void whateverASubjectNameAndBodyHoldComesBack(@ForAll("lines") String subject, @ForAll("lines") String name, @ForAll String body)
            throws MessagingException, IOException {
        String html = isText(body) ? body : "<p>x</p>";
        String wire = wire(MimeMessage.of(email(subject, name.strip(), html, null), List.of()));
        assertThat(wire.lines()).allMatch(line -> line.length() <= 78 && line.chars().allMatch(c -> c < 128));
        jakarta.mail.internet.MimeMessage message = read(wire);
        assertThat(message.getSubject()).isEqualTo(subject);
        InternetAddress to = (InternetAddress) message.getRecipients(jakarta.mail.Message.RecipientType.TO)[0];
        assertThat(to.getAddress()).isEqualTo("clara@example.org");
        assertThat(to.getPersonal() == null ? "" : to.getPersonal()).isEqualTo(name.strip());
        assertThat(new String(message.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(html);
        assertThat(java.util.Collections.list(message.getAllHeaders())).hasSize(9);
    }

    private static boolean isText(String body) {
        return !body.isEmpty() && StandardCharsets.UTF_16.newEncoder().canEncode(body);
    }
}
