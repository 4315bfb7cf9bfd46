package io.arbitration.emails.bounces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryReportTest {

    private static final ReturnPath PATH = ReturnPath.of("bounces@mail.example.org");
    private static final UUID TOKEN = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");

    /** As Postfix writes one, but for the fields. */
    static String report(String to, String fields) {
        return """
                Return-Path: <>
                From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
                To: %s
                Subject: Undelivered Mail Returned to Sender
                Auto-Submitted: auto-replied
                MIME-Version: 1.0
                Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

                This is a MIME-encapsulated message.

                --b1
                Content-Type: text/plain; charset=us-ascii

                I'm sorry to have to inform you that your message could not be delivered.

                --b1
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mx.example.net
                Arrival-Date: Sat, 21 Nov 2026 09:30:00 +0000

                %s

                --b1
                Content-Type: message/rfc822

                To: bounces+%s@mail.example.org
                Subject: Notice of claim

                --b1--
                """.formatted(to, fields, "f".repeat(32)).replace("\n", "\r\n");
    }

    private static Optional<DeliveryReport> read(String message) {
        return DeliveryReport.of(message.getBytes(StandardCharsets.UTF_8), PATH);
    }

    private static final String GONE = """
            Final-Recipient: rfc822; rolf@quarry.example
            Action: failed
            Status: 5.1.1
            Diagnostic-Code: smtp; 550 5.1.1 <rolf@quarry.example>: Recipient address
                rejected: no such mailbox""";

    @Test
    void aFailedDeliveryNamesItsCopyAndTheReasonOfTheServer() {
        assertThat(read(report(PATH.address(TOKEN), GONE))).hasValue(new DeliveryReport(TOKEN, true, Optional.of("5.1.1"),
                "came back: 550 5.1.1 <rolf@quarry.example>: Recipient address rejected: no such mailbox"));
        assertThat(read(report("<" + PATH.address(TOKEN).toUpperCase() + ">", GONE)).orElseThrow().token()).isEqualTo(TOKEN);
    }

    @ParameterizedTest
    @CsvSource({"failed,true", "Failed (expired),true", "delayed,false", "delivered,false", "relayed,false", "expanded,false"})
    void onlyAFailureIsOne(String action, boolean failed) {
        assertThat(read(report(PATH.address(TOKEN), "Action: " + action + "\nStatus: 4.4.7")).orElseThrow().failed()).isEqualTo(failed);
    }

    @Test
    void aReportWithoutWordsOrStatusIsStillOne() {
        assertThat(read(report(PATH.address(TOKEN), "Action: failed")).orElseThrow().reason()).isEqualTo("came back: no reason was given");
        assertThat(read(report(PATH.address(TOKEN), "Action: failed\nStatus: 5.7.0 (no)")).orElseThrow().reason()).isEqualTo("came back: 5.7.0");
        String said = read(report(PATH.address(TOKEN), "Action: failed\nDiagnostic-Code: smtp; \u001b[31m\u0007" + "x".repeat(9000))).orElseThrow().reason();
        assertThat(said).hasSize(DeliveryReport.REASON_LENGTH_MAX).startsWith("came back: [31m x").doesNotContain("\u001b", "\u0007");
    }

    /** The returned mail is somebody's text: an address in it must not fail another's delivery. */
    @Test
    void whatIsNotAddressedToTheReturnPathIsNone() {
        assertThat(read(report("somebody@mail.example.org", GONE))).isEmpty();
        assertThat(read(report("bounces@mail.example.org", GONE))).isEmpty();
        assertThat(read(report(PATH.address(TOKEN) + ".evil.example", GONE))).isEmpty();
        assertThat(read(report("x" + PATH.address(TOKEN), GONE))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n\r\n", "To: x", "Content-Type: multipart/report; report-type=delivery-status; boundary=b1\r\n\r\n--b1",
        "Content-Type: ;;;\r\nTo: bounces+0f8fad5bd9cb469fa16570867728950e@mail.example.org\r\n\r\n",
        "To: bounces+0f8fad5bd9cb469fa16570867728950e@mail.example.org\r\nContent-Type: text/plain\r\n\r\nAction: failed",
        "To: bounces+0f8fad5bd9cb469fa16570867728950e@mail.example.org\r\nContent-Type: multipart/report; report-type=delivery-status\r\n\r\nAction: failed",
        "To: bounces+0f8fad5bd9cb469fa16570867728950e@mail.example.org\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b--"})
    void whatIsNoReportIsNone(String message) {
        assertThat(read(message)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bounces <bounces@example.org>", "no address", "a b@example.org", "bounces+x@example.org", "bounces-of-the-whole-platform-12@example.org"})
    void aReturnPathIsAnAddressWithRoomForTheToken(String text) {
        assertThatThrownBy(() -> ReturnPath.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theTokenOfACopyIsReadAsItWasWritten() {
        for (UUID token : new UUID[] {TOKEN, new UUID(-1, -1), new UUID(0, 1)}) {
            assertThat(PATH.token("for " + PATH.address(token) + ";")).hasValue(token);
        }
        assertThat(PATH.address(new UUID(0, 1))).isEqualTo("bounces+00000000000000000000000000000001@mail.example.org");
    }
}
