package io.arbitration;

import io.arbitration.ai.AiVerticle;
import io.arbitration.alerts.AlertsVerticle;
import io.arbitration.cases.CasesVerticle;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.cases.invitations.InvitationSettings;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.emails.EmailsVerticle;
import io.arbitration.identity.DemoIdentityVerticle;
import io.arbitration.identity.IdentityVerticle;
import io.arbitration.mainapi.MainApiSettings;
import io.arbitration.mainapi.MainApiVerticle;
import io.arbitration.mainapi.export.ExportWiring;
import io.arbitration.pdfs.PdfsVerticle;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.profiles.ProfilesVerticle;
import io.arbitration.push.PushVerticle;
import io.arbitration.webhooks.WebhooksVerticle;
import io.arbitration.webhooks.urls.OwnAddresses;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** All areas, and those that this node serves. */
final class Areas {

    /** The names of all contracts, also of areas that this node does not serve. */
    static final List<String> CONTRACTS = List.of("identity", "cases", "main", "webhooks", "alerts", "push", "emails", "profiles", "pdfs", "ai");

    private Areas() {}

    /** Begins to read the definitions, while the database starts. */
    static Prepared prepare(Settings settings, Clock clock) {
        return new Prepared(settings, CompletableFuture.supplyAsync(
                () -> DefinitionsLoader.rules(settings.definitions().folder(), clock), Thread::startVirtualThread),
                CompletableFuture.supplyAsync(() -> DefinitionsLoader.fingerprint(settings.definitions().folder()), Thread::startVirtualThread));
    }

    record Prepared(Settings settings, CompletableFuture<CaseRules> caseRules, CompletableFuture<String> fingerprint) {

        /** The areas that this node serves. Blocks until the definitions are read; throws if one of them is not valid. */
        List<AreaVerticle> areas(AreaServices services) {
            CaseRules rules = Platform.join(caseRules);
            Map<String, Function<AreaServices, AreaVerticle>> all = new LinkedHashMap<>();
            all.put("auth", node -> new IdentityVerticle(node, settings.identity(), settings.profile(), settings.areas()));
            if (settings.profile() == Profile.DEMO) {
                all.put("demo", node -> new DemoIdentityVerticle(node, settings.identity(), settings.areas()));
            }
            all.put("cases", node -> new CasesVerticle(node, settings.definitions(), settings.deadlines(), settings.sandbox(),
                    settings.rateLimit().enabled() ? Optional.of(settings.newCases()) : Optional.empty(), settings.areas(),
                    new InvitationSettings(IdentityVerticle.superAdministrators(settings.identity()), settings.identity().ended()),
                    settings.emails().smtp().from().address(), rules,
                    vertx -> ExportWiring.export(vertx, node, settings.export(), rules)));
            all.put("api", node -> new MainApiVerticle(node,
                    new MainApiSettings(settings.docket(), settings.files(), settings.evidence(), settings.notices(), settings.live(), settings.rateLimit(), settings.areas(),
                            IdentityVerticle.superAdministrators(settings.identity())), rules));
            all.put("ai", node -> new AiVerticle(node, settings.ai(), settings.evidence().bucket(), rules.definitions(), rules.phasesOfSharedEvidence().stream().map(PhaseId::value).toList()));
            all.put("profiles", ProfilesVerticle::new);
            all.put("alerts", node -> new AlertsVerticle(node, settings.alerts(), settings.rateLimit().enabled(), settings.areas(), rules.definitions()));
            all.put("emails", node -> new EmailsVerticle(node, settings.emails(), settings.profile()));
            all.put("push", node -> new PushVerticle(node, settings.push(), settings.outbound(), settings.profile()));
            all.put("pdfs", node -> new PdfsVerticle(node, settings.pdfs()));
            all.put("webhooks", node -> new WebhooksVerticle(node, settings.webhooks(), settings.outbound(), settings.areas(), OwnAddresses.of(
                    settings.server().publicUrl(), List.of(settings.server().port(), settings.management().port()), settings.areas())));
            TreeSet<String> unknown = new TreeSet<>(settings.areas().enabled());
            unknown.addAll(settings.areas().addresses().keySet());
            unknown.removeAll(all.keySet());
            if (!unknown.isEmpty()) {
                throw new ConfigurationError("areas: no area named %s, there are %s".formatted(unknown, all.keySet()));
            }
            return all.entrySet().stream()
                    .filter(entry -> settings.areas().serves(entry.getKey()))
                    .map(entry -> entry.getValue().apply(services))
                    .toList();
        }
    }
}
