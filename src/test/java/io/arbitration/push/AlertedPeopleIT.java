package io.arbitration.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of an alert: a document docketed over HTTP ends at a mail server and, encrypted, at a push service. */
class AlertedPeopleIT {

    @TempDir
    private Path folder;

    private static String recipient(MimeMessage message) {
        try {
            return ((InternetAddress) message.getAllRecipients()[0]).getAddress() + " " + message.getSubject();
        } catch (MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    /** What arrived, by recipient and subject, and how often. */
    private static Map<String, Long> mails(GreenMail mail) {
        return Arrays.stream(mail.getReceivedMessages()).collect(Collectors.groupingBy(AlertedPeopleIT::recipient, Collectors.counting()));
    }

    private static List<JsonObject> filings(PushServer service, Browser browser) {
        return service.all(browser).stream().map(PushServer.Taken::message)
                .filter(message -> message.getJsonObject("data").getString("event").equals("docket_filing")).toList();
    }

    @Test
    void aDocketedDocumentIsOneEmailForEachParticipantButItsApproverAndOneMessageForEachOfTheirBrowsers() {
        GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        try (PushServer service = new PushServer()) {
            Map<String, String> settings = new HashMap<>(Pushed.settings(service));
            settings.put("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort());
            try (RunningPlatform platform = RunningPlatform.start(folder, settings)) {
                told(platform, Pushed.on(platform, service), mail);
            }
        } finally {
            mail.stop();
        }
    }

    private static void told(RunningPlatform platform, Pushed pushed, GreenMail mail) {
        PushServer service = pushed.service();
        OpenCase open = OpenCase.on(platform);
        Browser filers = browser(pushed, open.claimant());
        Browser outsiders = browser(pushed, open.outsider());
        List<Browser> respondents = List.of(browser(pushed, open.respondent()), browser(pushed, open.respondent()));
        Browser approvers = browser(pushed, open.manager());
        String entryId = open.docketed(new JsonObject().put("title", "Availability in May"));

        List<Person> others = List.of(open.colleague(), open.observer(), open.respondent(), open.manager(), open.arbitrator());
        Pushed.await(() -> mails(mail).values().stream().mapToLong(count -> count).sum() >= 2 * others.size() ? true : null, () -> mails(mail).toString());
        Pushed.await(() -> List.of(respondents.getFirst(), respondents.getLast(), filers).stream().allMatch(one -> !filings(service, one).isEmpty()) ? true : null,
                () -> service.all() + " refused: " + service.refused());
        Pushed.await(() -> platform.rows("select 1 from alerts.alerts where state = 'pending'").isEmpty() ? true : null, () -> "alerts are pending");

        Map<String, Long> expected = new HashMap<>();
        others.forEach(person -> {
            expected.put(person.email() + " You take part in a new case: Cranes v. Quarry", 1L);
            expected.put((person.equals(open.manager()) ? open.claimant() : person).email() + " Cranes v. Quarry: Availability in May (No. 1)", 1L);
        });
        assertThat(mails(mail)).isEqualTo(expected);
        for (Browser browser : List.of(respondents.getFirst(), respondents.getLast(), filers)) {
            assertThat(filings(service, browser)).singleElement().satisfies(message -> {
                assertThat(message.getString("title")).isEqualTo("New on the docket");
                assertThat(message.getString("body")).isEqualTo("Cranes v. Quarry: Availability in May (No. 1)");
                assertThat(message.getJsonObject("data").getString("entryID")).isEqualTo(entryId);
                assertThat(message.getJsonObject("data").getString("caseID")).isEqualTo(open.caseId());
            });
        }
        assertThat(filings(service, approvers)).as("who approved it knows").isEmpty();
        assertThat(service.all(outsiders)).isEmpty();
        assertThat(service.refused()).isEmpty();
    }

    private static Browser browser(Pushed pushed, Person person) {
        Browser browser = pushed.browser();
        pushed.subscribe(browser, person);
        return browser;
    }
}
