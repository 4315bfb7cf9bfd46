package io.arbitration.domain.filing;

import io.arbitration.domain.Decision;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.EntryReference;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Shared code of the filing rules: refusals that several commands have, and the combination of decisions. */
final class Refusals {

    private Refusals() {}

    static Optional<FilingRefusal> superseded(CaseSnapshot snapshot, Filing.Content content) {
        return when(content.supersedes().flatMap(snapshot::reference).filter(EntryReference::superseded).isPresent(), FilingRefusal.Reason.ENTRY_SUPERSEDED);
    }

    static Optional<FilingRefusal> stale(Filing filing, OptionalLong ifMatch) {
        return when(ifMatch.isPresent() && ifMatch.getAsLong() != filing.document().revision(), FilingRefusal.Reason.STALE);
    }

    static Optional<FilingRefusal> when(boolean holds, FilingRefusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }

    /** The first refusal that applies, in this order. */
    @SafeVarargs
    static Optional<Decision<FilingChange, FilingRefusal>> first(Supplier<Optional<FilingRefusal>>... refusals) {
        return Stream.of(refusals).map(Supplier::get).flatMap(Optional::stream).findFirst().map(Refusals::refused);
    }

    static Decision<FilingChange, FilingRefusal> refused(FilingRefusal reason) {
        return new Decision.Refused<>(reason);
    }

    static Decision<FilingChange, FilingRefusal> done(Filing filing, FilingChange.Kind kind, UserId by, Instant at) {
        return decided(new FilingChange(filing, Optional.empty(), kind, by, at));
    }

    static Decision<FilingChange, FilingRefusal> decided(FilingChange change) {
        return new Decision.Decided<>(change);
    }
}
