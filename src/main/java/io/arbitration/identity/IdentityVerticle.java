package io.arbitration.identity;

import com.nimbusds.jose.JWSAlgorithm;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The identity area: who people and machines are and what they may do. */
public final class IdentityVerticle extends AreaVerticle {

    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(IdentityVerticle.class);

    private final AreaServices services;
    private final IdentitySettings settings;
    private final Profile profile;

    public IdentityVerticle(AreaServices services, IdentitySettings settings, Profile profile) {
        super("auth");
        this.services = services;
        this.settings = settings;
        this.profile = profile;
    }

    @Override
    protected Future<List<Contract>> open() {
        Future<Optional<DemoProvider>> demo = switch (profile) {
            case DEMO -> DemoProvider.open(services, settings.audience()).map(Optional::of);
            case PRODUCTION -> Future.succeededFuture(Optional.empty());
        };
        return demo.map(this::contracts);
    }

    private List<Contract> contracts(Optional<DemoProvider> demo) {
        Secrets secrets = new Secrets(services.random());
        SuperAdministrators superAdministrators = new SuperAdministrators(settings.superAdministrators());
        UserRepository users = new UserRepository(services.database(), services.revocations());
        SessionService sessions = new SessionService(
                new SessionRepository(services.database(), services.revocations()), superAdministrators,
                services.tokens(), services.revocations(), secrets, settings, services.clock());
        vertx.setPeriodic(SWEEP_PERIOD.toMillis(), timer -> sessions.sweep()
                .onFailure(failed -> LOG.warn("sweeping expired sessions failed: {}", failed.getMessage())));
        IdentityHandlers handlers = new IdentityHandlers(
                providers(demo), new IdTokens(settings.clockSkew(), services.clock()), sessions,
                new UserService(users, superAdministrators, services.revocations()),
                new OrganizationService(
                        new OrganizationRepository(services.database(), services.revocations()), services.revocations(),
                        secrets, services.clock()),
                new ClientService(
                        new ClientRepository(services.database()), services.tokens(), secrets, services.clock()),
                services.tokens(), services.signingKeys());
        Contract identity = handlers.bind(Contract.read("identity"));
        return demo.map(provider -> List.of(identity, new DemoHandlers(provider).bind(Contract.read("demo-identity"))))
                .orElse(List.of(identity));
    }

    private Map<String, IdentityProvider> providers(Optional<DemoProvider> demo) {
        Map<String, IdentityProvider> providers = new HashMap<>();
        KeySetSource sources = new KeySetSource(vertx);
        settings.providers().forEach((name, provider) -> {
            Supplier<Future<String>> source = provider.jwksFile().map(sources::file)
                    .orElseGet(() -> sources.url(provider.jwksUrl().orElseThrow()));
            providers.put(name, new IdentityProvider(
                    name, provider.issuer(), provider.audiences(),
                    provider.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toUnmodifiableSet()),
                    new ProviderKeys(name, source, services.clock())));
        });
        demo.ifPresent(provider -> providers.put(DemoProvider.NAME, provider.provider()));
        return Map.copyOf(providers);
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
