package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.browser.PageFailure;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proofs of service. One is made when it is asked for, and kept: as long as nothing more happens to the emails, who asks again
 * gets the same file.
 */
final class ProofService {

    private static final String FOLDER = "notice-proofs";
    /** What the same key signs for another purpose must not pass for this. */
    static final String STATEMENT_TYPE = "service-of-notice+jws";
    private static final String AS_SEEN = "The email is shown as a browser shows it.";
    private static final String AS_TEXT = "This node has no working browser: in the place of the email's looks stands its text.";
    private static final String BUSY = "browser.busy";
    private static final int IN_MAKING_MAX = 4;
    private static final int PER_CALLER = 2;
    /** A proof that waits holds no file yet. */
    private static final int WAITING_MAX = 16;
    private static final int RETRY_SECONDS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(ProofService.class);

    private final ProofRepository repository;
    private final ObjectStores objects;
    private final Pages pages;
    private final SigningKeys signingKeys;
    private final String issuer;
    private final Clock clock;
    private final PaperWorkers workers;
    private final Bucket bucket;
    private final Transfers transfers;
    /** While a proof is made, all of its files are in memory. */
    private final Bulkhead making = bulkhead();

    /** @param issuer of the signed statement */
    ProofService(
            ProofRepository repository, ObjectStores objects, Bucket bucket, Transfers transfers, Pages pages, PaperWorkers workers, SigningKeys signingKeys, String issuer,
            Clock clock) {
        this.repository = repository;
        this.objects = objects;
        this.bucket = bucket;
        this.transfers = transfers;
        this.pages = pages;
        this.workers = workers;
        this.signingKeys = signingKeys;
        this.issuer = issuer;
        this.clock = clock;
    }

    /** For proofs in the making, by caller. */
    static Bulkhead bulkhead() {
        return new Bulkhead(new Bulkhead.Bounds(IN_MAKING_MAX, PER_CALLER, WAITING_MAX),
                () -> NoticeError.PROOFS_BUSY.refusal().retryAfter(RETRY_SECONDS),
                () -> NoticeError.PROOFS_OF_CALLER.refusal(PER_CALLER).retryAfter(RETRY_SECONDS));
    }

    /** All that a proof is made of. */
    private record Facts(ProofRepository.ServedNotice notice, List<NoticeFile> files, List<ProofRepository.Way> ways,
            Map<String, ProofRepository.Returned> returned, List<ProofRepository.Content> contents) {

        /** SHA-256 of the facts: a proof with the same facts is not made again. So the text of each fact must stay the same in later releases. */
        String digest(boolean asSeen) {
            Map<String, Object> all = new HashMap<>(Map.of(
                    "noticeID", notice.noticeId().toString(),
                    "asSeen", asSeen,
                    "files", files.stream().map(file -> "%s %s %s".formatted(file.kind().text(), file.name(), file.fingerprint().sha256())).toList(),
                    "ways", ways.stream().map(ProofRepository.Way::digestText).toList(),
                    "emails", contents.stream().flatMap(content -> Stream.of(content.subject(), content.html(), content.text())).toList()));
            // Omitted if no email came back, so that proofs that were made before bounces were read keep their digest.
            if (!returned.isEmpty()) {
                all.put("returned", returned.entrySet().stream().map(one -> "%s=%s".formatted(one.getKey(), one.getValue().digestText()))
                        .collect(Collectors.joining(", ", "{", "}")));
            }
            return ContentHash.of(all);
        }
    }

    /** The proof of a notice as things stand, made if it is not there yet, for those who have a part in the case. */
    Future<ProofRepository.Made> proof(Optional<CaseId> caseId, UUID noticeId, Requester requester) {
        Instant now = Timestamps.milliseconds(clock.instant());
        return repository.find(caseId.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal).value(), noticeId, requester.userId()).map(ProofService::seen)
                .compose(this::facts)
                .compose(facts -> repository.made(noticeId, facts.digest(hasBrowser()))
                        .compose(made -> made.map(Future::succeededFuture).orElseGet(() -> making.run(requester.userId(), () -> transfers.checkDisk().compose(free -> make(facts, now)))))
                        .compose(proof -> repository.leaveLine(facts.notice, requester, now).map(proof)))
                .recover(NoticeFiles::refused);
    }

    /** A part of a proof, each block proved before it is handed out. */
    Future<Blocks> open(ProofRepository.Made proof, long from, long length) {
        return objects.read(proof.address(), proof.fingerprint(), from, length).recover(NoticeFiles::refused);
    }

    private static ProofRepository.ServedNotice seen(Optional<ProofRepository.Found> found) {
        ProofRepository.Found notice = found.orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        if (!notice.participant()) {
            throw NoticeError.NOT_A_PARTICIPANT.refusal();
        }
        if (notice.withheld()) {
            throw NoticeError.SEALED.refusal();
        }
        return notice.notice().orElseThrow(NoticeError.NOT_FOUND::refusal);
    }

    private Future<Facts> facts(ProofRepository.ServedNotice notice) {
        return repository.files(notice.noticeId()).compose(files -> repository.ways(notice.noticeId())
                .compose(ways -> repository.returned(notice.noticeId()).compose(returned -> repository.contents(notice.noticeId())
                        .map(contents -> new Facts(notice, files, ways, returned, contents)))));
    }

    private boolean hasBrowser() {
        return pages.state() == Pages.State.UP;
    }

    private Future<ProofRepository.Made> make(Facts facts, Instant now) {
        return contents(facts.files).compose(files -> emails(facts, files, now).compose(emails -> {
            boolean asSeen = emails.stream().allMatch(email -> email.how().equals(AS_SEEN));
            String digest = facts.digest(asSeen);
            Proof proof = new Proof(facts.notice, files, facts.ways, facts.returned, emails, digest);
            String statement = ProofStatement.of(proof, issuer, now).encode();
            return workers.make(() -> ProofFile.of(proof, now, signingKeys.signed(STATEMENT_TYPE, statement)))
                    .compose(bytes -> keep(facts.notice, digest, bytes, now));
        }));
    }

    private Future<List<Proof.Content>> contents(List<NoticeFile> files) {
        return SequentialWork.each(files, file -> objects.readWhole(file.address(), file.fingerprint()).map(bytes -> new Proof.Content(file, bytes)));
    }

    private Future<List<Proof.Email>> emails(Facts facts, List<Proof.Content> files, Instant now) {
        return SequentialWork.each(facts.contents, content -> rendered(facts.notice, content, files, now));
    }

    /** The email as a browser shows it; where none works, its text, and the proof says so. */
    private Future<Proof.Email> rendered(ProofRepository.ServedNotice notice, ProofRepository.Content content, List<Proof.Content> files, Instant now) {
        return pages.print(selfContained(notice, content.html(), files))
                .map(pdf -> new Proof.Email(content, pdf, AS_SEEN))
                .recover(failure -> {
                    boolean none = failure instanceof PageFailure || failure instanceof Refusal refusal && !refusal.code().equals(BUSY);
                    if (!none) {
                        return Future.failedFuture(failure);
                    }
                    LOG.warn("notices: the proof of {} shows the text of its email and no picture of it: {}", notice.noticeId(), failure.getMessage());
                    return workers.make(() -> new Proof.Email(content, Buffer.buffer(ProofCertificate.plain(content, AS_TEXT, now)), AS_TEXT));
                });
    }

    /** The pictures that the email carried beside its HTML, within it. */
    private static String selfContained(ProofRepository.ServedNotice notice, String html, List<Proof.Content> files) {
        String whole = html;
        for (Proof.Content content : files) {
            if (content.file().kind() == NoticeFile.Kind.PREVIEW) {
                whole = whole.replace("\"cid:" + NoticeMail.contentId(content.file().fieldId(), notice.noticeId()) + "\"",
                        "\"data:%s;base64,%s\"".formatted(content.file().contentType(), Base64.getEncoder().encodeToString(content.bytes().getBytes())));
            }
        }
        return whole;
    }

    private Future<ProofRepository.Made> keep(ProofRepository.ServedNotice notice, String digest, byte[] bytes, Instant now) {
        return objects.keep(bucket, FOLDER, bytes).compose(kept -> repository
                .add(notice, digest, new ProofRepository.Made(kept.fingerprint(), kept.object().address()), now)
                .transform(result -> settled(kept, result)))
                // Another request may have made the same at the same time: both are answered with the one that is kept.
                .compose(first -> repository.made(notice.noticeId(), digest)).map(Optional::orElseThrow);
    }

    private static Future<Boolean> settled(ObjectStores.Kept kept, io.vertx.core.AsyncResult<Boolean> result) {
        boolean unused = result.succeeded() && !result.result();
        return (unused ? kept.object().abandon() : kept.object().release()).otherwiseEmpty()
                .compose(left -> result.succeeded() ? Future.succeededFuture(result.result()) : Future.failedFuture(result.cause()));
    }
}
