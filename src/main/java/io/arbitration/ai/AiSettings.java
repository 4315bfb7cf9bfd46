package io.arbitration.ai;

import io.arbitration.ai.model.ModelSettings;
import io.arbitration.platform.config.Configuration;
import java.time.Duration;
import java.util.Optional;

/**
 * Analyses and draft awards.
 *
 * @param model empty: none is configured
 * @param awardsPerMinute of one caller
 * @param awardsPerCaller being made at once, of one caller
 * @param award time for a draft award
 * @param objectBytesMax of a document or exhibit that is read
 * @param reading time for reading one
 * @param analysis time for one analysis
 * @param awardsHistory how long it is kept from which inputs an award was drafted
 * @param analysesHistory how long analyses are kept
 */
public record AiSettings(
        Optional<ModelSettings> model, int awardsPerMinute, int awardsAtOnce, int awardsPerCaller, Duration award, long objectBytesMax, int pagesMax,
        Duration reading, int analysesAtOnce, int analysesPerCaseAndDay, Duration analysis, Duration awardsHistory,
        Duration analysesHistory) {

    public static AiSettings read(Configuration c) {
        return new AiSettings(ModelSettings.read(c),
                c.whole("ai.awardsPerMinute", 1, 100_000), c.whole("ai.awardsAtOnce", 1, 100), c.whole("ai.awardsPerCaller", 1, 100), Duration.ofSeconds(c.whole("ai.awardSeconds", 1, 290)),
                c.whole("ai.objectBytesMax", 1024L, 314_572_800L), c.whole("ai.pagesMax", 1, 100_000),
                Duration.ofSeconds(c.whole("ai.readSeconds", 1, 600)), c.whole("ai.analysesAtOnce", 1, 64), c.whole("ai.analysesPerCaseAndDay", 1, 100_000),
                Duration.ofSeconds(c.whole("ai.analysisSeconds", 1, 7200)), Duration.ofDays(c.whole("ai.awardsHistoryDays", 90, 36_500)),
                Duration.ofDays(c.whole("ai.analysesHistoryDays", 30, 36_500)));
    }
}
