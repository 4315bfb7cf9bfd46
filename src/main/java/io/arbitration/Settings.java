package io.arbitration;

import io.arbitration.ai.AiSettings;
import io.arbitration.alerts.AlertsSettings;
import io.arbitration.cases.NewCasesSettings;
import io.arbitration.cases.deadlines.DeadlinesSettings;
import io.arbitration.cases.definitions.DefinitionsSettings;
import io.arbitration.cases.sandbox.SandboxSettings;
import io.arbitration.emails.EmailsSettings;
import io.arbitration.identity.IdentitySettings;
import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.mainapi.evidence.EvidenceSettings;
import io.arbitration.mainapi.export.ExportSettings;
import io.arbitration.mainapi.filings.FilesSettings;
import io.arbitration.mainapi.live.LiveSettings;
import io.arbitration.mainapi.notice.NoticeSettings;
import io.arbitration.pdfs.PdfsSettings;
import io.arbitration.platform.body.BodySettings;
import io.arbitration.platform.browser.BrowserSettings;
import io.arbitration.platform.cluster.ClusterSettings;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.DatabaseSettings;
import io.arbitration.platform.events.EventBusSettings;
import io.arbitration.platform.extensions.ExtensionSettings;
import io.arbitration.platform.kafka.KafkaSettings;
import io.arbitration.platform.keys.KeySettings;
import io.arbitration.platform.limits.RateLimitSettings;
import io.arbitration.platform.objects.ObjectSettings;
import io.arbitration.platform.outbound.OutboundSettings;
import io.arbitration.platform.server.ManagementSettings;
import io.arbitration.platform.server.ServerSettings;
import io.arbitration.platform.telemetry.LogsSettings;
import io.arbitration.platform.telemetry.TracesSettings;
import io.arbitration.push.PushSettings;
import io.arbitration.webhooks.WebhooksSettings;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * All settings of a node, read once and checked; {@code conf/platform.yaml} explains each of them. The record of each part is in the
 * package that it configures.
 */
public record Settings(
        Profile profile, Path dataFolder, ServerSettings server, BodySettings body, ManagementSettings management, AreaSettings areas,
        RateLimitSettings rateLimit, DefinitionsSettings definitions, DeadlinesSettings deadlines, SandboxSettings sandbox, NewCasesSettings newCases, DatabaseSettings database, IdentitySettings identity, KeySettings keys,
        DocketSettings docket, FilesSettings files, WebhooksSettings webhooks, PushSettings push, OutboundSettings outbound, ObjectSettings objects, EvidenceSettings evidence,
        NoticeSettings notices, LiveSettings live, ExportSettings export, EmailsSettings emails, AlertsSettings alerts, PdfsSettings pdfs, BrowserSettings browser, AiSettings ai, KafkaSettings kafka,
        EventBusSettings eventBus, TracesSettings traces, LogsSettings logs, Optional<ClusterSettings> cluster,
        ExtensionSettings extensions) {

    /** Reads all settings; throws a {@link ConfigurationError} for the first one that is not valid. */
    public static Settings read(Configuration c, Path home) {
        Path dataFolder = home.resolve(c.required("data.folder"));
        ServerSettings server = ServerSettings.read(c, home);
        ObjectSettings objects = ObjectSettings.read(c, dataFolder);
        Settings settings = new Settings(
                Profile.valueOf(c.oneOf("profile", "demo", "production").toUpperCase(Locale.ROOT)), dataFolder, server, BodySettings.read(c),
                ManagementSettings.read(c), AreaSettings.read(c), RateLimitSettings.read(c), DefinitionsSettings.read(c, home), DeadlinesSettings.read(c), SandboxSettings.read(c), NewCasesSettings.read(c), DatabaseSettings.read(c),
                IdentitySettings.read(c, home), KeySettings.read(c, home, dataFolder), DocketSettings.read(c), FilesSettings.read(c), WebhooksSettings.read(c),
                PushSettings.read(c), OutboundSettings.read(c), objects, EvidenceSettings.read(c, objects.buckets()), NoticeSettings.read(c), LiveSettings.read(c), ExportSettings.read(c),
                EmailsSettings.read(c, home, server.publicUrl()), AlertsSettings.read(c), PdfsSettings.read(c, home), BrowserSettings.read(c, dataFolder),
                AiSettings.read(c), KafkaSettings.read(c), EventBusSettings.read(c), TracesSettings.read(c), LogsSettings.read(c), ClusterSettings.read(c), ExtensionSettings.read(c, home));
        if (!c.unreadKeys().isEmpty()) {
            throw new ConfigurationError("declared in conf/platform.yaml but read by nothing: " + c.unreadKeys());
        }
        return settings;
    }
}
