package io.arbitration.mainapi;

import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.mainapi.evidence.EvidenceSettings;
import io.arbitration.mainapi.filings.FilesSettings;
import io.arbitration.mainapi.live.LiveSettings;
import io.arbitration.mainapi.notice.NoticeSettings;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.limits.RateLimitSettings;
import java.util.Set;

/**
 * What of the settings the main API is configured by.
 *
 * @param superAdministrators case-folded emails of the super administrators in the configuration
 */
public record MainApiSettings(DocketSettings docket, FilesSettings files, EvidenceSettings evidence, NoticeSettings notices, LiveSettings live, RateLimitSettings rateLimit, AreaSettings areas,
        Set<String> superAdministrators) {

    public MainApiSettings {
        superAdministrators = Set.copyOf(superAdministrators);
    }
}
