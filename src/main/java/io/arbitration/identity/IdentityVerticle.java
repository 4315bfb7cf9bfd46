package io.arbitration.identity;

import com.nimbusds.jose.JWSAlgorithm;
import io.arbitration.identity.clients.ClientHandlers;
import io.arbitration.identity.clients.ClientRepository;
import io.arbitration.identity.clients.ClientService;
import io.arbitration.identity.clients.OAuthHandlers;
import io.arbitration.identity.organizations.InvitationRepository;
import io.arbitration.identity.organizations.InvitationService;
import io.arbitration.identity.organizations.InvitationWiring;
import io.arbitration.identity.organizations.OrganizationHandlers;
import io.arbitration.identity.organizations.OrganizationRepository;
import io.arbitration.identity.organizations.OrganizationService;
import io.arbitration.identity.sessions.BrowserSessions;
import io.arbitration.identity.sessions.Session;
import io.arbitration.identity.sessions.SessionEndService;
import io.arbitration.identity.sessions.SessionHandlers;
import io.arbitration.identity.sessions.SessionRepository;
import io.arbitration.identity.sessions.SessionService;
import io.arbitration.identity.signin.BrowserHandlers;
import io.arbitration.identity.signin.BrowserSignIn;
import io.arbitration.identity.signin.DemoHandlers;
import io.arbitration.identity.signin.DemoProvider;
import io.arbitration.identity.signin.DiscoveredServer;
import io.arbitration.identity.signin.IdTokens;
import io.arbitration.identity.signin.IdentityProvider;
import io.arbitration.identity.signin.KeyHandlers;
import io.arbitration.identity.signin.KeySetSource;
import io.arbitration.identity.signin.LogoutTokens;
import io.arbitration.identity.signin.ProviderKeys;
import io.arbitration.identity.signin.SignInHandlers;
import io.arbitration.identity.signin.SignInService;
import io.arbitration.identity.users.SuperAdministrators;
import io.arbitration.identity.users.UserHandlers;
import io.arbitration.identity.users.UserRepository;
import io.arbitration.identity.users.UserService;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.auth.CookieSessions;
import io.arbitration.platform.auth.Issuer;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.auth.SessionCookie;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.telemetry.ObservedPart;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The identity area: users, machine clients, organizations, sessions and permissions. */
public final class IdentityVerticle extends AreaVerticle {

    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(IdentityVerticle.class);

    private final AreaServices services;
    private final IdentitySettings settings;
    private final Profile profile;
    private final AreaSettings areas;
    private Optional<Dispatcher<?, ?>> invitationNotifications = Optional.empty();

    public IdentityVerticle(AreaServices services, IdentitySettings settings, Profile profile, AreaSettings areas) {
        super("auth");
        this.services = services;
        this.settings = settings;
        this.profile = profile;
        this.areas = areas;
    }

    /** Authenticates requests with a session cookie; used by the operations of every area, on any node. */
    public static CookieSessions cookieSessions(
            IdentitySettings settings, Profile profile, Database database, Revocations revocations, Clock clock) {
        return new BrowserSessions(database, new SuperAdministrators(settings.superAdministrators()), revocations, rules(settings, profile), settings.rememberedMax(), clock);
    }

    /** The names of the providers at which browsers sign in, in alphabetical order. */
    public static List<String> browserProviders(IdentitySettings settings, Profile profile) {
        Stream<String> configured = settings.providers().values().stream().filter(provider -> provider.client().isPresent()).map(IdentityProviderSettings::name);
        return Stream.concat(configured, profile == Profile.DEMO ? Stream.of(DemoProvider.NAME) : Stream.of()).sorted().toList();
    }

    /** The emails of the configured super administrators, in lower case as far as they are ASCII. */
    public static Set<String> superAdministrators(IdentitySettings settings) {
        return new SuperAdministrators(settings.superAdministrators()).emails();
    }

    private static Session.Rules rules(IdentitySettings settings, Profile profile) {
        Set<String> providers = new HashSet<>(settings.providers().keySet());
        if (profile == Profile.DEMO) {
            providers.add(DemoProvider.NAME);
        }
        return new Session.Rules(settings.refreshToken(), settings.session(), settings.browserIdle(), settings.refreshReuse(), settings.sessionsPerUserMax(), Set.copyOf(providers));
    }

    static SessionEndService ending(AreaServices services, IdentitySettings settings) {
        return new SessionEndService(services.database(), new SessionRepository(services.database()), services.revocations(), services.security(),
                new Secrets(services.random()), settings.ended(), services.clock());
    }

    /** The public URL of this area, for browsers and providers. */
    private String areaUrl() {
        return Issuer.of(Optional.empty(), areas, services.publicUrl());
    }

    @Override
    protected Future<List<Contract>> open() {
        Future<Optional<DemoProvider>> demo = switch (profile) {
            case DEMO -> DemoProvider.open(services.database(), services.kms(), services.publicUrl(), settings.audience(), areaUrl(),
                    ending(services, settings), services.clock()).map(Optional::of);
            case PRODUCTION -> Future.succeededFuture(Optional.empty());
        };
        return demo.map(this::contracts);
    }

    private List<Contract> contracts(Optional<DemoProvider> demo) {
        Database database = services.database();
        Clock clock = services.clock();
        SecurityEvents security = services.security();
        Secrets secrets = new Secrets(services.random());
        SuperAdministrators superAdministrators = new SuperAdministrators(settings.superAdministrators());
        UserRepository users = new UserRepository(database);
        SessionRepository sessionRepository = new SessionRepository(database);
        OrganizationRepository organizationRepository = new OrganizationRepository(database);
        InvitationRepository invitationRepository = new InvitationRepository(database);

        SessionEndService ending = ending(services, settings);
        SessionService sessions = new SessionService(database, sessionRepository, ending, users, superAdministrators, services.tokens(), services.revocations(),
                security, secrets, rules(settings, profile), clock);
        OrganizationService organizations = new OrganizationService(database, organizationRepository, sessionRepository, security, secrets,
                settings.organizationsPerUserMax(), clock);
        InvitationService invitations = new InvitationService(database, invitationRepository, organizationRepository, organizations, users,
                sessionRepository, secrets, clock);
        invitationNotifications = Optional.of(InvitationWiring.notifications(vertx, services, areas));
        invitationNotifications.get().start();
        vertx.setPeriodic(SWEEP_PERIOD.toMillis(), timer -> ending.sweep()
                .compose(swept -> invitations.sweep(clock.instant().minus(settings.ended())))
                .onFailure(failed -> LOG.warn("removing sessions and invitations that have ended failed: {}", failed.getMessage())));

        Contract identity = Contract.read("identity");
        Map<String, IdentityProvider> providers = providers(demo);
        IdTokens idTokens = new IdTokens(settings.clockSkew(), security, clock);
        new SignInHandlers(new SignInService(providers, idTokens, sessions)).bind(identity);
        new BrowserHandlers(new BrowserSignIn(providers, idTokens, sessions, areaUrl(), security, secrets, clock),
                new LogoutTokens(providers, idTokens, ending, settings.clockSkew(), security), ending, SessionCookie.at(services.publicUrl()), clock).bind(identity);
        new SessionHandlers(sessions, ending).bind(identity);
        new UserHandlers(new UserService(database, users, superAdministrators, services.revocations(), security, clock)).bind(identity);
        new OrganizationHandlers(organizations, invitations).bind(identity);
        ClientService clients = new ClientService(database, new ClientRepository(database), organizationRepository, services.tokens(),
                services.revocations(), security, secrets, settings.clientsPerOrganizationMax(),
                services.rates().limiter("client-changes", settings.clientChangesPerMinute(), Duration.ofMinutes(1)), Secrets::matches, clock);
        new ClientHandlers(clients).bind(identity);
        new OAuthHandlers(clients).bind(identity);
        new KeyHandlers(services.tokens(), services.signingKeys(), security).bind(identity);
        return demo.map(provider -> List.of(identity, new DemoHandlers(provider).bind(Contract.read("demo-identity"))))
                .orElse(List.of(identity));
    }

    private Map<String, IdentityProvider> providers(Optional<DemoProvider> demo) {
        Map<String, IdentityProvider> providers = new HashMap<>();
        KeySetSource sources = new KeySetSource(vertx);
        settings.providers().forEach((name, provider) -> {
            ObservedPart part = services.observed().part("identityProvider." + name);
            Supplier<Future<String>> source = provider.jwksFile().map(sources::file)
                    .orElseGet(() -> sources.url(provider.jwksUrl().orElseThrow()));
            providers.put(name, new IdentityProvider(
                    name, provider.issuer(), audiences(provider),
                    provider.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toUnmodifiableSet()),
                    new ProviderKeys(name, source, part, services.clock()), provider.emailVerifiedAsText(), provider.acrValues(),
                    provider.client().map(client -> new DiscoveredServer(vertx, provider.issuer(), client.id(), client.secret(), part, services.clock()))));
        });
        demo.ifPresent(provider -> providers.put(DemoProvider.NAME, provider.provider()));
        return Map.copyOf(providers);
    }

    /** The accepted audiences, and the client ID: tokens of a browser's sign-in are issued for it. */
    private static List<String> audiences(IdentityProviderSettings provider) {
        return Stream.concat(provider.audiences().stream(), provider.client().map(IdentityProviderSettings.Client::id).stream()).distinct().toList();
    }

    @Override
    public Future<?> stop() throws Exception {
        return invitationNotifications.map(Dispatcher::stop).orElseGet(Future::succeededFuture);
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
