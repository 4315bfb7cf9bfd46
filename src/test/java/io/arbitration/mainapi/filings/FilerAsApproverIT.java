package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** People change sides; what they filed before stays theirs. */
class FilerAsApproverIT {

    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    private void move(Person person, String from, String to) {
        Answer removed = open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", person.id()).put("partyID", from));
        assertThat(removed.status()).as(removed.body()).isEqualTo(200);
        open.add(RunningPlatform.shared().administrator(), person, to, false);
    }

    @Test
    void nobodyDecidesOnWhatTheyFiledWhateverPartTheyHaveGotSince() {
        String filing = open.draft(open.colleague(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        move(open.colleague(), "claimant", "caseManager");

        for (Answer answer : List.of(open.document("approve", open.colleague(), filing), open.reject(open.colleague(), filing, "No."))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.sentence()).isEqualTo("You cannot decide on a document that you filed yourself.");
            assertThat(answer.header("Error-Code")).isEqualTo("filing.own-document");
        }
        assertThat(pending(open.colleague())).isEmpty();
        assertThat(pending(open.manager())).containsExactly(filing);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        JsonObject entry = open.docket(open.respondent()).getJsonObject(0);
        assertThat(entry.getString("userID")).isEqualTo(open.colleague().id());
        assertThat(entry.getString("partyID")).isEqualTo("claimant");
    }

    private List<String> pending(Person person) {
        return open.on("/api/filings/documents/pending-approval", person, new JsonObject()).object().getJsonArray("filings").stream()
                .map(filing -> ((JsonObject) filing).getString("filingID")).toList();
    }

    @Test
    void whoLeftTheCaseLosesTheirDraftsToTheirSide() {
        String draft = open.draft(open.colleague(), OpenCase.APPROVED_DOCUMENT);
        move(open.colleague(), "claimant", "respondent");
        assertThat(open.document("submit", open.colleague(), draft).sentence()).isEqualTo("document not found");
        assertThat(open.document("submit", open.claimant(), draft).status()).isEqualTo(200);
        assertThat(open.docket(open.claimant())).isEmpty();
    }

    @Test
    void aFilingOfOneCaseIsUnknownInAnother() {
        OpenCase another = open.another();
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        for (String operation : List.of("submit", "withdraw", "approve", "check")) {
            Answer answer = another.document(operation, another.claimant(), filing);
            assertThat(answer.status()).as(operation).isEqualTo(404);
            assertThat(answer.sentence()).isEqualTo("document not found");
        }
        assertThat(another.update(another.claimant(), filing, new JsonObject().put("title", UUID.randomUUID().toString())).sentence()).isEqualTo("document not found");
        assertThat(open.view(open.claimant(), filing).getInteger("revision")).isEqualTo(1);
    }
}
