package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every exact string of the main API's filings and docket, with its status, in the situation that it is for. */
class FilingStringsIT {

    private static final OpenCase CASE = OpenCase.on(RunningPlatform.shared());

    record Row(String name, int status, String sentence, String code, Function<OpenCase, Answer> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Row row(String name, int status, String sentence, String code, Function<OpenCase, Answer> call) {
        return new Row(name, status, sentence, code, call);
    }

    private static String draft(OpenCase c) {
        return c.draft(c.claimant(), OpenCase.APPROVED_DOCUMENT);
    }

    private static String submitted(OpenCase c) {
        String filing = draft(c);
        assertThat(c.document("submit", c.claimant(), filing).status()).isEqualTo(200);
        return filing;
    }

    private static String rejected(OpenCase c) {
        String filing = submitted(c);
        assertThat(c.reject(c.manager(), filing, "incomplete").status()).isEqualTo(200);
        return filing;
    }

    private static String withdrawn(OpenCase c) {
        String filing = draft(c);
        assertThat(c.document("withdraw", c.claimant(), filing).status()).isEqualTo(200);
        return filing;
    }

    private static String docketed(OpenCase c) {
        String filing = c.draft(c.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        assertThat(c.document("submit", c.claimant(), filing).status()).isEqualTo(200);
        return filing;
    }

    private static OpenCase closed(OpenCase c) {
        c.close();
        return c;
    }

    static Stream<Row> rows() {
        String observer = "You are registered as an observer and cannot file documents in this case";
        JsonObject unknownCase = new JsonObject().put("caseID", UUID.randomUUID().toString()).put("filingID", "1");
        return Stream.of(
                row("submit sends for approval", 200, "Document successfully submitted.", null, c -> c.document("submit", c.claimant(), draft(c))),
                row("a colleague of the side may submit", 200, "Document successfully submitted.", null, c -> c.document("submit", c.colleague(), draft(c))),
                row("submit of an unknown filing", 404, "document not found", "filing.not-found", c -> c.document("submit", c.claimant(), "999999999999")),
                row("submit of something that is no filing ID", 404, "document not found", "filing.not-found", c -> c.document("submit", c.claimant(), "abc")),
                row("submit in an unknown case", 404, "case not found", "case.not-found", c -> c.platform().post("/api/filings/documents/submit", unknownCase, c.claimant().token())),
                row("submit by an outsider", 403, "Not a participant in this case.", "case.not-a-participant", c -> c.document("submit", c.outsider(), draft(c))),
                row("submit of the other side's draft", 404, "document not found", "filing.not-found", c -> c.document("submit", c.respondent(), draft(c))),
                row("submit of a docketed document", 409, "document cannot be submitted because it's already been added to the docket", "filing.already-docketed", c -> c.document("submit", c.claimant(), docketed(c))),
                row("submit of a submitted document", 409, "document is already submitted for approval", "filing.already-submitted", c -> c.document("submit", c.claimant(), submitted(c))),
                row("submit of a withdrawn document", 409, "document is already withdrawn", "filing.already-withdrawn", c -> c.document("submit", c.claimant(), withdrawn(c))),
                row("submit of a rejected document without a change", 200, "Document successfully submitted.", null, c -> c.document("submit", c.claimant(), rejected(c))),
                row("submit by an observer", 403, observer, "case.observer", c -> c.document("submit", c.observer(), draft(c))),
                row("submit of a document of another phase", 409, "document not allowed in this phase", "filing.not-allowed-in-phase",
                        c -> c.document("submit", c.respondent(), c.create(c.respondent(), "answer", new JsonObject()).object().getString("filingID"))),
                row("submit of a document of another party", 409, "document not allowed in this phase", "filing.not-allowed-in-phase",
                        c -> c.document("submit", c.respondent(), c.draft(c.respondent(), "statementOfClaim"))),
                row("submit in a closed case", 409, "case is closed", "case.closed", c -> {
                    String filing = draft(c);
                    return closed(c).document("submit", c.claimant(), filing);
                }),
                row("submit without a required field", 400, "fields/requestedOrder: is required", "filing.invalid-field",
                        c -> c.document("submit", c.claimant(), c.create(c.claimant(), "motion", new JsonObject().put("motionTitle", "Motion")).object().getString("filingID"))),
                row("withdraw", 200, "Document successfully withdrawn.", null, c -> c.document("withdraw", c.claimant(), draft(c))),
                row("withdraw of a submitted document", 200, "Document successfully withdrawn.", null, c -> c.document("withdraw", c.claimant(), submitted(c))),
                row("withdraw of a rejected document", 200, "Document successfully withdrawn.", null, c -> c.document("withdraw", c.claimant(), rejected(c))),
                row("withdraw of an unknown filing", 404, "document not found", "filing.not-found", c -> c.document("withdraw", c.claimant(), "0")),
                row("withdraw of a docketed document", 409, "document cannot be withdrawn because it's already been added to the docket", "filing.already-docketed", c -> c.document("withdraw", c.claimant(), docketed(c))),
                row("withdraw of a withdrawn document", 409, "document is already withdrawn", "filing.already-withdrawn", c -> c.document("withdraw", c.claimant(), withdrawn(c))),
                row("withdraw by an observer", 403, observer, "case.observer", c -> c.document("withdraw", c.observer(), draft(c))),
                row("withdraw by the approving party", 403, "Only the side that made this document can change it.", "filing.not-your-side", c -> c.document("withdraw", c.manager(), submitted(c))),
                row("approve", 200, "Document successfully approved.", null, c -> c.document("approve", c.manager(), submitted(c))),
                row("approve by the filer's side", 403, "Only the approving party can decide on this document.", "filing.not-approver", c -> c.document("approve", c.colleague(), submitted(c))),
                row("approve by the other side", 404, "document not found", "filing.not-found", c -> c.document("approve", c.respondent(), submitted(c))),
                row("approve by an observer", 403, observer, "case.observer", c -> c.document("approve", c.observer(), submitted(c))),
                row("approve of a draft that the approver can't see", 404, "document not found", "filing.not-found", c -> c.document("approve", c.manager(), draft(c))),
                row("approve of a rejected document", 409, "document is not submitted for approval", "filing.not-submitted", c -> c.document("approve", c.manager(), rejected(c))),
                row("approve twice", 409, "document cannot be approved because it's already been added to the docket", "filing.already-docketed", c -> {
                    String filing = submitted(c);
                    c.document("approve", c.manager(), filing);
                    return c.document("approve", c.manager(), filing);
                }),
                row("reject", 200, "Document successfully rejected.", null, c -> c.reject(c.manager(), submitted(c), "incomplete")),
                row("reject of a docketed document", 409, "document cannot be rejected because it's already been added to the docket", "filing.already-docketed", c -> {
                    String filing = submitted(c);
                    c.document("approve", c.manager(), filing);
                    return c.reject(c.manager(), filing, "too late");
                }),
                row("reject without a reason", 400, "reason: at least 1 character", "request.invalid", c -> c.reject(c.manager(), submitted(c), "")),
                row("update of a submitted document", 409, "document is already submitted for approval", "filing.already-submitted", c -> c.update(c.claimant(), submitted(c), new JsonObject().put("title", "x"))),
                row("update of a docketed document", 409, "document cannot be changed because it's already been added to the docket", "filing.already-docketed", c -> c.update(c.claimant(), docketed(c), new JsonObject().put("title", "x"))),
                row("update on a stale revision", 409, "If-Match does not match the current revision", "filing.stale", c -> c.update(c.claimant(), draft(c), new JsonObject().put("title", "x"), "If-Match", "\"7\"")),
                row("create of an unknown type", 404, "document type not found", "document-type.not-found", c -> c.create(c.claimant(), "poem", new JsonObject())),
                row("create by an observer", 403, observer, "case.observer", c -> c.create(c.observer(), "motion", new JsonObject())),
                row("create by an outsider", 403, "Not a participant in this case.", "case.not-a-participant", c -> c.create(c.outsider(), "motion", new JsonObject())),
                row("docket of an unknown case", 404, "The specified case could not be found.", "case.not-found", c -> c.platform().post("/api/docket/entries/list", unknownCase, c.claimant().token())),
                row("docket for an outsider", 403, "Not a participant in this case.", "case.not-a-participant", c -> c.on("/api/docket/entries/list", c.outsider(), new JsonObject())),
                row("view of an unknown entry", 404, "docket entry not found", "docket-entry.not-found", c -> c.on("/api/docket/entries/view", c.claimant(), new JsonObject().put("entryID", "1x"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void everyStringIsExact(Row row) {
        // A row that closes its case, or may use up a quota, gets a case of its own.
        OpenCase open = row.name.contains("closed") ? OpenCase.on(RunningPlatform.shared()) : CASE;
        Answer answer = row.call.apply(open);
        assertThat(answer.sentence()).isEqualTo(row.sentence);
        assertThat(answer.status()).isEqualTo(row.status);
        assertThat(answer.header("Error-Code")).isEqualTo(row.code);
        assertThat(answer.header("X-Request-Id")).isNotBlank();
    }
}
