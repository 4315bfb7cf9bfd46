package io.arbitration.ai.award;

import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.reading.ObjectReader;
import io.arbitration.platform.Foundation;
import io.arbitration.platform.config.Settings;
import java.util.List;
import java.util.Optional;

/** Wires what drafts awards. */
public final class Awards {

    private Awards() {}

    /** @param sharedPhases phases in which every participant sees all evidence of a case */
    public static AwardHandlers handlers(Foundation foundation, Optional<ModelClient> model, Optional<ObjectReader> reader, List<String> sharedPhases) {
        Settings.Ai settings = foundation.settings().ai();
        EvidenceRightsRepository rights = new EvidenceRightsRepository(foundation.database(), foundation.audit(), sharedPhases);
        AwardInputs inputs = new AwardInputs(foundation.objects(), reader, rights, foundation.settings().evidence().bucket(), foundation.clock());
        AwardLimit limit = new AwardLimit(foundation.settings().rateLimit().enabled(), settings.awardsPerMinute());
        return new AwardHandlers(new AwardService(model, inputs, new AwardRepository(foundation.database()), limit, settings,
                foundation.clock(), foundation.random()));
    }
}
