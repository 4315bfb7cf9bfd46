package io.arbitration.domain.time;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Calendars as text (RFC 5545, with the methods of RFC 5546). Times are written in a time zone, with the rules of the zone around
 * them. A local time that occurs twice means the first of the two (section 3.3.5), so the second is written in UTC.
 */
public final class CalendarText {

    private static final int LINE_BYTES_MAX = 75;
    private static final Duration AROUND = Duration.ofDays(400);
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss");
    /** The characters of an email address that a mailto URI may contain unencoded (RFC 6068, section 2); all others are encoded. */
    private static final String AS_IT_IS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*+@";

    private final StringBuilder text = new StringBuilder();

    private CalendarText() {}

    /** The purpose of a sent calendar. */
    public enum Method {
        /** An invitation, or a change of the event. */
        REQUEST,
        CANCEL
    }

    /** Whether an event takes place. */
    public enum Status { CONFIRMED, CANCELLED }

    /**
     * An event of a calendar.
     *
     * @param uid never changes
     * @param sequence increases with every change
     * @param stamp when this message was made; in a calendar feed, when any of it changed last (section 3.8.7.2)
     * @param modified when the event changed last
     * @param start in whole seconds; fractions are dropped
     * @param end equal to the start for an event without duration, such as a deadline
     * @param status empty in a cancellation for a single attendee: RFC 5546, section 3.2.5, allows no status there
     * @param organizer email address of the organizer; empty in a calendar without invitation
     * @param attendee email address of the attendee
     */
    public record Entry(
            String uid, long sequence, Instant stamp, Instant modified, Instant start, Instant end, ZoneId timeZone, String summary, Optional<String> place,
            Optional<String> link, Optional<String> description, Optional<Status> status, Optional<String> organizer, Optional<String> attendee) {}

    /**
     * A calendar.
     *
     * @param name its display name; empty for a sent calendar
     * @param method empty for a calendar feed
     */
    public static String of(Optional<String> name, Optional<Method> method, List<Entry> entries) {
        CalendarText calendar = new CalendarText();
        calendar.line("BEGIN:VCALENDAR").line("VERSION:2.0").line("PRODID:-//Arbitration Case Platform//Calendar 1//EN").line("CALSCALE:GREGORIAN");
        method.ifPresent(one -> calendar.line("METHOD:" + one.name()));
        name.ifPresent(one -> calendar.line("X-WR-CALNAME:" + escaped(one)));
        TreeMap<String, Instant[]> zones = new TreeMap<>();
        entries.stream().filter(CalendarText::isLocal).forEach(entry -> zones.merge(entry.timeZone.getId(), new Instant[] {entry.start, entry.end},
                (one, other) -> new Instant[] {earlier(one[0], other[0]), later(one[1], other[1])}));
        zones.forEach((id, span) -> calendar.zone(ZoneId.of(id), span[0].minus(AROUND), span[1].plus(AROUND)));
        if (entries.isEmpty()) {
            // A calendar has at least one component (section 3.6).
            calendar.zone(ZoneOffset.UTC, Instant.EPOCH, Instant.EPOCH);
        }
        entries.forEach(calendar::event);
        return calendar.line("END:VCALENDAR").text.toString();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private void event(Entry entry) {
        line("BEGIN:VEVENT");
        line("UID:" + escaped(entry.uid));
        line("SEQUENCE:" + entry.sequence);
        line("DTSTAMP:" + utc(entry.stamp));
        line("LAST-MODIFIED:" + utc(entry.modified));
        if (isLocal(entry)) {
            line("DTSTART;TZID=%s:%s".formatted(entry.timeZone.getId(), local(entry.start, entry.timeZone)));
            if (!isMoment(entry)) {
                line("DTEND;TZID=%s:%s".formatted(entry.timeZone.getId(), local(entry.end, entry.timeZone)));
            }
        } else {
            line("DTSTART:" + utc(entry.start));
            if (!isMoment(entry)) {
                line("DTEND:" + utc(entry.end));
            }
        }
        line("SUMMARY:" + escaped(entry.summary));
        entry.place.ifPresent(place -> line("LOCATION:" + escaped(place)));
        entry.description.ifPresent(description -> line("DESCRIPTION:" + escaped(description)));
        entry.link.ifPresent(link -> line("URL:" + link));
        entry.status.ifPresent(status -> line("STATUS:" + status));
        line("TRANSP:" + (!entry.status.equals(Optional.of(Status.CONFIRMED)) || isMoment(entry) ? "TRANSPARENT" : "OPAQUE"));
        entry.organizer.ifPresent(address -> line("ORGANIZER:" + mailto(address)));
        entry.attendee.ifPresent(address -> line("ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:" + mailto(address)));
        line("END:VEVENT");
    }

    /** An entry without an end ends when it begins (section 3.6.1) and does not block time. */
    private static boolean isMoment(Entry entry) {
        return entry.end.equals(entry.start);
    }

    /**
     * The rules of a zone between two times: its offset at the first, and each change up to the second. No time of the calendar
     * is outside of them. Earlier years, whose rules may differ, are omitted.
     */
    private void zone(ZoneId zone, Instant from, Instant until) {
        ZoneRules rules = zone.getRules();
        line("BEGIN:VTIMEZONE");
        line("TZID:" + zone.getId());
        ZoneOffset first = rules.getOffset(from);
        observance(rules.isDaylightSavings(from), LocalDateTime.ofInstant(from, zone), first, first);
        ZoneOffsetTransition transition = rules.nextTransition(from);
        while (transition != null && transition.getInstant().isBefore(until)) {
            observance(rules.isDaylightSavings(transition.getInstant()), transition.getDateTimeBefore(), transition.getOffsetBefore(),
                    transition.getOffsetAfter());
            transition = rules.nextTransition(transition.getInstant());
        }
        line("END:VTIMEZONE");
    }

    private void observance(boolean isDaylight, LocalDateTime start, ZoneOffset before, ZoneOffset after) {
        String kind = isDaylight ? "DAYLIGHT" : "STANDARD";
        line("BEGIN:" + kind).line("DTSTART:" + LOCAL.format(start)).line("TZOFFSETFROM:" + offset(before)).line("TZOFFSETTO:" + offset(after)).line("END:" + kind);
    }

    private static boolean isLocal(Entry entry) {
        return !entry.timeZone.getRules().isFixedOffset() && isFirst(entry.start, entry.timeZone) && isFirst(entry.end, entry.timeZone);
    }

    /** Whether the local time of an instant means this instant, and not another one an hour before. */
    private static boolean isFirst(Instant instant, ZoneId zone) {
        LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
        return zone.getRules().getValidOffsets(local).getFirst().equals(zone.getRules().getOffset(instant));
    }

    private static String local(Instant instant, ZoneId zone) {
        return LOCAL.format(LocalDateTime.ofInstant(instant, zone));
    }

    private static String utc(Instant instant) {
        return LOCAL.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)) + "Z";
    }

    /** Hours and minutes, and seconds if an old offset has them. */
    private static String offset(ZoneOffset offset) {
        int seconds = Math.abs(offset.getTotalSeconds());
        String text = "%s%02d%02d".formatted(offset.getTotalSeconds() < 0 ? "-" : "+", seconds / 3600, seconds / 60 % 60);
        return seconds % 60 == 0 ? text : text + "%02d".formatted(seconds % 60);
    }

    private static String mailto(String address) {
        StringBuilder uri = new StringBuilder("mailto:");
        for (byte each : address.getBytes(StandardCharsets.UTF_8)) {
            uri.append(AS_IT_IS.indexOf(each) >= 0 ? Character.toString(each) : "%%%02X".formatted(each));
        }
        return uri.toString();
    }

    /** TEXT of section 3.3.11; control characters other than line ends are dropped. */
    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
                .replaceAll("[\\p{Cntrl}\\u0080-\\u009f]", "");
    }

    /** Folded so that no line has more than 75 bytes, without splitting a character (section 3.1). */
    private CalendarText line(String line) {
        int bytes = 0;
        for (int at = 0; at < line.length(); at += Character.charCount(line.codePointAt(at))) {
            String character = Character.toString(line.codePointAt(at));
            int more = character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + more > LINE_BYTES_MAX) {
                text.append("\r\n ");
                bytes = 1;
            }
            text.append(character);
            bytes += more;
        }
        text.append("\r\n");
        return this;
    }
}
