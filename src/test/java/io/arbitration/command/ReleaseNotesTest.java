package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code ./acp release-notes}, between two states of this repository. */
class ReleaseNotesTest {

    /** A commit that lacks what the notes then name. */
    private static final String SINCE = "2429b33";

    private record Ended(int code, String printed) {}

    private static Ended run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), printed);
    }

    private static Ended notes(String... arguments) throws IOException, InterruptedException {
        return run(Stream.concat(Stream.of("./acp", "release-notes"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void theyHoldTheChangeLogAndWhatTheSourcesShow() throws Exception {
        boolean history = run("git", "cat-file", "-e", SINCE + "^{commit}").code() == 0;
        if (!history) {
            System.out.printf("skipped: no commit %s here to tell changes since%n", SINCE);
        }
        assumeTrue(history, "no history of the repository");
        Ended ended = notes("1.0.0", SINCE);
        assertThat(ended.code()).as(ended.printed()).isZero();
        assertThat(ended.printed().lines()).containsSubsequence(List.of("# 1.0.0", "### Cases and filings", "## What the sources show", "### Operations",
                "- new: `createCalendarFeed`", "### Settings", "- new: `extensions.folder`", "### Errors", "- new: `feed.not-found`", "### Migrations",
                "- `V060__calendar_feeds.sql`"));
        assertThat(ended.printed()).doesNotContain("`listCases`", "`http.port`", "V001__");
    }

    @Test
    void whatIsNoVersionOrNoCommitIsNamed() throws Exception {
        assertThat(notes("9.9.9")).isEqualTo(new Ended(1, "release-notes: CHANGELOG.md has no section 9.9.9\n"));
        assertThat(notes("1.0.0", "no-such-commit")).isEqualTo(new Ended(2, "release-notes: there is no commit no-such-commit here; fetch the whole history\n"));
    }
}
