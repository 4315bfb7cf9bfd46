package io.arbitration.ai.award;

import io.arbitration.ai.AiSettings;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.reading.ObjectReader;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.objects.Bucket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Wires what drafts awards. */
public final class Awards {

    private Awards() {}

    /** @param sharedPhases phases in which every participant sees all evidence of a case */
    public static AwardHandlers handlers(
            AreaServices services, AiSettings settings, Bucket evidence, Optional<ModelClient> model, Optional<ObjectReader> reader,
            List<String> sharedPhases) {
        EvidenceRightsRepository rights = new EvidenceRightsRepository(services.database(), services.audit(), sharedPhases);
        AwardInputs inputs = new AwardInputs(services.objects(), reader, rights, evidence, services.clock());
        RateLimiter rate = services.rates().limiter("award", settings.awardsPerMinute(), Duration.ofMinutes(1));
        return new AwardHandlers(new AwardService(model, inputs, new AwardRepository(services.database()), rate, settings,
                services.clock(), services.random()));
    }
}
