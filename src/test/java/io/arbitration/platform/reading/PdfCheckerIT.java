package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several people file PDFs at once on one node. */
class PdfCheckerIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private final PdfChecker checker = new PdfChecker(PLATFORM.vertx(), PLATFORM.services().objects(), PLATFORM.services().reading(), 20, Duration.ofSeconds(120));

    private static ObjectStores.Kept kept(byte[] pdf) {
        return Await.result(Future.future(kept -> PLATFORM.vertx().runOnContext(now -> PLATFORM.services().objects()
                .keep(PLATFORM.settings().evidence().bucket(), "filings", pdf).onComplete(kept))));
    }

    /** As on the context of a request of that caller. */
    private Future<PdfCheck> check(ObjectStores.Kept pdf, String caller, String tenant) {
        Promise<PdfCheck> checked = Promise.promise();
        ((ContextInternal) PLATFORM.vertx().getOrCreateContext()).duplicate().runOnContext(on -> {
            WorkOwner.begin(PLATFORM.vertx(), caller, tenant);
            checker.check(pdf.object().address(), pdf.fingerprint()).onComplete(checked);
        });
        return checked.future();
    }

    /** However many an organization files, and by however many users, and however long each takes. */
    @Test
    void aPdfDoesNotWaitForThoseOfAnotherOrganizationThatTakeLong() {
        ObjectStores.Kept slow = kept(SamplePdfs.longToUnpack());
        ObjectStores.Kept plain = kept(SamplePdfs.saying("Claim.", "Reasons."));
        List<Future<PdfCheck>> others = IntStream.range(0, 4).mapToObj(i -> check(slow, "user " + i, "organization")).toList();
        assertThat(Await.result(check(plain, "someone", "someone"))).isEqualTo(new PdfCheck(2, Optional.empty()));
        assertThat(others.stream().filter(Future::isComplete)).as("of the four that were there before").hasSizeLessThanOrEqualTo(2);
        others.forEach(one -> assertThat(Await.result(one).fault()).isEmpty());
        List.of(slow, plain).forEach(pdf -> Await.result(pdf.object().abandon()));
    }
}
