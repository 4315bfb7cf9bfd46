package io.arbitration.mainapi.filings;

import io.arbitration.domain.Decision;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.CommandBatcher;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import java.util.Optional;

/** Passes each change of a filing to the batcher, and answers the filing after it or why it was refused. */
final class FilingService {

    private final CommandBatcher<FilingBatches.PendingCommand, Decision<FilingChange, FilingRefusal>> batcher;

    FilingService(CommandBatcher<FilingBatches.PendingCommand, Decision<FilingChange, FilingRefusal>> batcher) {
        this.batcher = batcher;
    }

    /** Executes a command; answers the filing after it. */
    Future<Filing> decide(FilingCommand command, Requester requester) {
        return decide(command, requester, FilingBatches.FurtherWrite.NOTHING);
    }

    /** The same, with a further write in the transaction of the change. It is repeated if the batch fails. */
    Future<Filing> decide(FilingCommand command, Requester requester, FilingBatches.FurtherWrite furtherWrite) {
        return batcher.submit(command.caseId(), new FilingBatches.PendingCommand(command, requester, furtherWrite, Optional.empty())).map(FilingService::decided);
    }

    /** The filing with one more file, which is stored and has this fingerprint. */
    Future<Filing> add(FilingCommand.AddFile command, Fingerprint fingerprint, Requester requester) {
        return batcher.submit(command.caseId(), new FilingBatches.PendingCommand(command, requester, FilingBatches.FurtherWrite.NOTHING, Optional.of(fingerprint)))
                .map(FilingService::decided);
    }

    private static Filing decided(Decision<FilingChange, FilingRefusal> decision) {
        return switch (decision) {
            case Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) -> change.filing();
            case Decision.Refused<FilingChange, FilingRefusal>(FilingRefusal reason) -> throw FilingError.of(reason);
        };
    }
}
