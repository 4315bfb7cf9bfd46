package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads calendars with {@code icalendar} of PyPI, which takes no part of its reading from ours. */
public final class CalendarReader {

    private static final String PROGRAM = """
            import sys, datetime, icalendar
            calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
            assert not calendar.errors, calendar.errors
            def utc(event, name):
                return event.decoded(name).astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ') if name in event else '-'
            for event in calendar.walk('VEVENT'):
                assert not event.errors, event.errors
                print(event['UID'], utc(event, 'DTSTART'), utc(event, 'DTEND'), event['SEQUENCE'], event['STATUS'], calendar.get('METHOD', '-'))
            """;

    private final Path python;
    private final Path folder;

    private CalendarReader(Path python, Path folder) {
        this.python = python;
        this.folder = folder;
    }

    /** @param folder for the calendars to be read; empty where there is no Python with it */
    public static Optional<CalendarReader> in(Path folder) throws IOException, InterruptedException {
        Optional<Path> python = OtherRuntimes.python("icalendar==6.3.1");
        return python.map(program -> new CalendarReader(program, folder));
    }

    /** A line for each event: UID, beginning and end in UTC (a dash for none), sequence, status, and the method of the calendar or a dash. */
    public List<String> events(String calendar) throws IOException, InterruptedException {
        Path file = Files.writeString(Files.createTempFile(folder, "calendar", ".ics"), calendar);
        Process process = new ProcessBuilder(python.toString(), "-c", PROGRAM, file.toString()).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text.lines().toList();
    }
}
