package io.arbitration.mainapi.notice;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** What the certificate of a proof says, for whoever reads it with a program. */
final class ProofStatement {

    private ProofStatement() {}

    /**
     * @param issuer whose keys sign it
     */
    static JsonObject of(Proof proof, String issuer, Instant made) {
        JsonArray recipients = new JsonArray();
        for (ProofRepository.Way way : proof.ways()) {
            JsonArray attempts = new JsonArray();
            way.attempts().forEach(attempt -> attempts.add(new JsonObject().put("at", Timestamps.text(attempt.at())).put("code", attempt.code())
                    .put("error", attempt.error())));
            JsonObject recipient = new JsonObject().put("email", way.email()).put("idempotencyKey", way.idempotencyKey())
                    .put("messageID", way.emailId() == null ? null : Proof.messageId(way))
                    .put("state", way.refusal() != null ? "refused" : way.state() == null ? "waiting" : way.state())
                    .put("endedAt", text(way.refusedAt() != null ? way.refusedAt() : way.ended())).put("reason", way.refusal()).put("attempts", attempts);
            ProofRepository.Returned returned = proof.returned().get(way.idempotencyKey());
            recipients.add(returned == null ? recipient
                    : recipient.put("returnedAt", text(returned.at())).put("returnedFor", returned.reason()));
        }
        JsonArray stored = new JsonArray();
        proof.files().forEach(content -> stored.add(new JsonObject().put("name", content.file().name()).put("sha256", content.file().fingerprint().sha256())));
        for (int i = 0; i < proof.emails().size(); i++) {
            stored.add(new JsonObject().put("name", Proof.htmlName(i)).put("sha256", Sha256.hex(proof.html(i))));
        }
        JsonObject statement = new JsonObject().put("iss", issuer).put("noticeID", proof.notice().noticeId().toString()).put("caseID", proof.notice().caseId().toString())
                .put("userID", proof.notice().senderId().toString()).put("mailType", proof.notice().mailType()).put("servedAt", Timestamps.text(proof.notice().served()));
        if (proof.isOfHearing()) {
            statement.put("hearingID", proof.mail("hearingID")).put("hearingRevision", proof.notice().mail().getValue("hearingRevision"));
        } else {
            statement.put("entryNumber", proof.notice().mail().getValue("entryNumber")).put("entryHash", proof.mail("entryHash"));
        }
        statement.put("recipients", recipients).put("files", stored).put("issuedAt", Timestamps.text(made));
        return proof.notice().inSandbox() ? statement.put("sandbox", true) : statement;
    }

    private static String text(Instant at) {
        return at == null ? null : Timestamps.text(at);
    }
}
