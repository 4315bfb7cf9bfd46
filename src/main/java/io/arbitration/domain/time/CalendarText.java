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
 * Calendars as text (RFC 5545, with the methods of RFC 5546). Times of people are written in their zone, with the zone's rules around
 * them; a local time that occurs twice stands for the first of the two (section 3.3.5), so the second is written in UTC.
 */
public final class CalendarText {

    private static final int LINE_BYTES_MAX = 75;
    private static final Duration AROUND = Duration.ofDays(400);
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss");
    /** What an email address may contain in a mailto URI as it is (RFC 6068, section 2); all else is encoded. */
    private static final String AS_IT_IS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*+@";

    private final StringBuilder text = new StringBuilder();

    private CalendarText() {}

    /** What a calendar is sent for. */
    public enum Method {
        /** To take part, or that what one takes part in has changed. */
        REQUEST,
        CANCEL
    }

    /** Whether an event takes place. */
    public enum Status { CONFIRMED, CANCELLED }

    /**
     * An event of a calendar.
     *
     * @param uid       the same for ever
     * @param sequence  grows with every change
     * @param stamp     when this was said; in a calendar that is read, when any of it changed last (section 3.8.7.2)
     * @param modified  when what happens changed last
     * @param start     in seconds; what is finer is left out
     * @param end       the same as the start for what takes no time, such as a deadline
     * @param status    empty in a cancellation for one of those who were invited: RFC 5546, section 3.2.5, allows none there
     * @param organizer email address of whoever invites; empty in a calendar that invites nobody
     * @param attendee  email address of whoever is invited
     */
    public record Entry(
            String uid, long sequence, Instant stamp, Instant modified, Instant start, Instant end, ZoneId timeZone, String summary, Optional<String> place,
            Optional<String> link, Optional<String> description, Optional<Status> status, Optional<String> organizer, Optional<String> attendee) {}

    /**
     * A calendar.
     *
     * @param name   what readers call it; empty for one that is sent
     * @param method empty for one that is read
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

    /** An entry without an end ends when it begins (section 3.6.1); nobody is busy then. */
    private static boolean isMoment(Entry entry) {
        return entry.end.equals(entry.start);
    }

    /**
     * The rules of a zone between two times: how it stands at the first, and each change of it up to the second. No time of the calendar is outside of them, so
     * that nothing is said of the years before, in which the rules may have been others.
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

    /** Whether the local time of an instant stands for that instant, and not for another an hour before. */
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

    /** Hours and minutes, and seconds where an old offset has some. */
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

    /** TEXT of section 3.3.11; control characters other than line ends are left out. */
    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
                .replaceAll("[\\p{Cntrl}\\u0080-\\u009f]", "");
    }

    /** Folded so that no line has more than 75 bytes, and no character is cut in two (section 3.1). */
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
