package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.CalendarText.Entry;
import io.arbitration.domain.time.CalendarText.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The text itself; CalendarReadersTest has it read by a library. */
class CalendarTextTest {

    private static final Instant STAMP = Instant.parse("2026-11-22T10:00:00Z");

    private static Entry entry(String start, String zone, String summary) {
        Instant at = Instant.parse(start);
        return new Entry("hearing-1@example.org", 3, STAMP, STAMP.minusSeconds(60), at, at.plus(Duration.ofMinutes(90)), ZoneId.of(zone), summary, Optional.of("Room 4; 2nd floor, left"),
                Optional.of("https://meet.example.org/4"), Optional.of("One\nTwo"), Optional.of(CalendarText.Status.CONFIRMED), Optional.of("no-reply@example.org"), Optional.of("rolf@example.org"));
    }

    private static String text(Entry... entries) {
        return CalendarText.of(Optional.empty(), Optional.of(Method.REQUEST), List.of(entries));
    }

    @Test
    void anInvitationHasAllThatReadersNeed() {
        assertThat(text(entry("2026-12-01T09:00:00Z", "Europe/Stockholm", "Hearing")).split("\r\n")).contains(
                "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "UID:hearing-1@example.org", "SEQUENCE:3", "DTSTAMP:20261122T100000Z", "LAST-MODIFIED:20261122T095900Z",
                "DTSTART;TZID=Europe/Stockholm:20261201T100000", "DTEND;TZID=Europe/Stockholm:20261201T113000", "SUMMARY:Hearing",
                "LOCATION:Room 4\\; 2nd floor\\, left", "DESCRIPTION:One\\nTwo", "URL:https://meet.example.org/4", "STATUS:CONFIRMED",
                "ORGANIZER:mailto:no-reply@example.org", "END:VCALENDAR");
    }

    /** An address may contain what ends or divides a URI, and letters of any script (RFC 6068, section 2; RFC 6531). */
    @Test
    void addressesAreWrittenAsUris() {
        Instant at = Instant.parse("2026-12-01T09:00:00Z");
        assertThat(text(new Entry("hearing-1@example.org", 3, STAMP, STAMP, at, at, ZoneId.of("UTC"), "Hearing", Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.of("o'neil+cases@example.org"), Optional.of("50%_a&b=c?d#\"e f\"@exämple.org"))).replace("\r\n ", ""))
                .contains("ORGANIZER:mailto:o'neil+cases@example.org\r\n")
                .contains(":mailto:50%25_a%26b%3Dc%3Fd%23%22e%20f%22@ex%C3%A4mple.org\r\n");
    }

    @Test
    void theRulesOfTheZoneAroundTheHearingGoWithIt() {
        assertThat(text(entry("2026-07-01T09:00:00Z", "Europe/Stockholm", "Hearing"))).contains(
                "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n",
                "BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n",
                "DTSTART;TZID=Europe/Stockholm:20260701T110000\r\n");
        assertThat(text(entry("2026-07-01T09:00:00Z", "Europe/Stockholm", "Hearing"))).as("and none for years whose rules were others")
                .contains("TZID:Europe/Stockholm\r\nBEGIN:DAYLIGHT\r\nDTSTART:20250527T110000\r\nTZOFFSETFROM:+0200\r\n").doesNotContain("1970");
    }

    @Test
    void theSecondOfTwoEqualLocalTimesIsWrittenInUtc() {
        assertThat(text(entry("2026-10-24T22:30:00Z", "Europe/Stockholm", "Hearing"))).contains("DTSTART;TZID=Europe/Stockholm:20261025T003000");
        assertThat(text(entry("2026-10-25T01:30:00Z", "Europe/Stockholm", "Hearing"))).contains("DTSTART:20261025T013000Z", "DTEND:20261025T030000Z")
                .doesNotContain("TZID");
        assertThat(text(entry("2026-12-01T09:00:00Z", "UTC", "Hearing"))).contains("DTSTART:20261201T090000Z").doesNotContain("VTIMEZONE");
    }

    @Test
    void noLineIsLongerThan75BytesAndNoCharacterIsCutOrEndsALine() {
        String text = text(entry("2026-12-01T09:00:00Z", "Europe/Stockholm", "\uD83C\uDFDB Anh\u00F6rung\r\nBEGIN:VEVENT\u0000\u0007 " + "\u4EF2\u88C1".repeat(60)));
        assertThat(text.split("\r\n")).allSatisfy(line -> assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(75))
                .filteredOn(line -> line.equals("BEGIN:VEVENT")).hasSize(1);
        assertThat(text.replace("\r\n ", "")).contains("SUMMARY:\uD83C\uDFDB Anh\u00F6rung\\nBEGIN:VEVENT " + "\u4EF2\u88C1".repeat(60) + "\r\n");
        assertThat(text.replace("\r\n", "")).doesNotContain("\r", "\n", "\u0000");
    }

    @Test
    void aFeedHasANameAndInvitesNobody() {
        String feed = CalendarText.of(Optional.of("My cases, all"), Optional.empty(), List.of());
        assertThat(feed).contains("X-WR-CALNAME:My cases\\, all\r\n").doesNotContain("METHOD");
    }
}
