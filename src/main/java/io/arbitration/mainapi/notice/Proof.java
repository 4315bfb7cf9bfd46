package io.arbitration.mainapi.notice;

import io.arbitration.domain.text.Mailbox;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Everything that a proof of service states.
 *
 * @param returned emails that came back, by their idempotency keys
 * @param digest SHA-256 of all that it says, by which the same proof is found again
 */
record Proof(ProofRepository.ServedNotice notice, List<Content> files, List<ProofRepository.Way> ways, Map<String, ProofRepository.Returned> returned,
        List<Email> emails, String digest) {

    static final String STATEMENT = "statement.jws";

    /** A stored file of the notice with its content. */
    record Content(NoticeFile file, Buffer bytes) {}

    /**
     * An email of the notice.
     *
     * @param rendered as a PDF
     * @param how it was rendered, in words
     */
    record Email(ProofRepository.Content content, Buffer rendered, String how) {}

    /** A value of the email's template. */
    String mail(String name) {
        return String.valueOf(notice.mail().getValue(name));
    }

    boolean isOfHearing() {
        return notice.mail().containsKey("hearingID");
    }

    byte[] html(int email) {
        return emails.get(email).content.html().getBytes(StandardCharsets.UTF_8);
    }

    static String htmlName(int email) {
        return email == 0 ? "email.html" : "email-%d.html".formatted(email + 1);
    }

    static String messageId(ProofRepository.Way way) {
        return "<%s@%s>".formatted(way.emailId(), Mailbox.parse(way.from()).domain());
    }
}
