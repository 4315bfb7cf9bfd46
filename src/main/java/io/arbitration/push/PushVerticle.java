package io.arbitration.push;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.keys.Reencryption;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundSettings;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.push.messages.ClaimedMessage;
import io.arbitration.push.messages.PushClient;
import io.arbitration.push.messages.PushOutcome;
import io.arbitration.push.messages.SendHandlers;
import io.arbitration.push.messages.SendService;
import io.arbitration.push.messages.UserMessageQueue;
import io.arbitration.push.messages.UserMessageRepository;
import io.arbitration.push.messages.UserMessageRequests;
import io.arbitration.push.subscriptions.PushServices;
import io.arbitration.push.subscriptions.SubscriptionHandlers;
import io.arbitration.push.subscriptions.SubscriptionRepository;
import io.arbitration.push.subscriptions.SubscriptionService;
import io.arbitration.push.vapid.VapidHandlers;
import io.arbitration.push.vapid.VapidHeaders;
import io.arbitration.push.vapid.VapidKeyRepository;
import io.arbitration.push.vapid.VapidKeys;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The push area: notifies users in their browsers, even if no page of the platform is open there. */
public final class PushVerticle extends AreaVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(PushVerticle.class);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    private final AreaServices services;
    private final PushSettings settings;
    private final OutboundSettings outbound;
    private final Profile profile;
    private GuardedClient client;
    private Dispatcher<ClaimedMessage, PushOutcome> dispatcher;
    private MessageConsumer<JsonObject> requests;

    public PushVerticle(AreaServices services, PushSettings settings, OutboundSettings outbound, Profile profile) {
        super("push");
        this.services = services;
        this.settings = settings;
        this.outbound = outbound;
        this.profile = profile;
    }

    @Override
    protected Future<List<Contract>> open() {
        Database database = services.database();
        client = new GuardedClient(vertx, services.callable(), outbound.nameServers());
        VapidKeyRepository storedKeys = new VapidKeyRepository(database);
        VapidKeys keys = new VapidKeys(storedKeys, services.kms(), services.clock());
        new Reencryption(services.kms()).begin("keys of web push", storedKeys);
        VapidHeaders vapid = new VapidHeaders(keys::open, subject(), services.clock());
        PushServices pushServices = new PushServices(settings.allowedEndpoints());
        PushClient pushClient = new PushClient(client, pushServices, vapid, services.clock(), services.random());
        SubscriptionRepository subscriptions = new SubscriptionRepository(database);
        UserMessageRepository queue = new UserMessageRepository(database);
        UserMessageQueue messages = new UserMessageQueue(vertx, queue, pushClient, settings.inFlightPerService(), settings.exchange(), services.meters(),
                services.traces(), services.random());
        dispatcher = new Dispatcher<>(vertx, "push", messages, services.notifications(), UserMessageRepository.DUE, Dispatcher.Bounds.of(settings.inFlight()), services.random());
        services.meters().gauge("push.in.flight", dispatcher, Dispatcher::inFlight);
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> queue.deleteExpired(settings.history())
                .onFailure(failed -> LOG.warn("removing old push messages failed: {}", failed.getMessage())));
        requests = vertx.eventBus().consumer(Addresses.PUSH_SEND, new UserMessageRequests(queue, settings.ttl(), services.traces())::handle);

        Contract contract = Contract.read("push");
        DemoPage.bind(contract);
        new VapidHandlers(keys).bind(contract);
        new SubscriptionHandlers(new SubscriptionService(subscriptions, keys, pushServices,
                new SubscriptionService.Bounds(settings.anonymous(), settings.anonymousMax(), settings.subscriptionsMax()),
                services.clock(), services.random())).bind(contract);
        new SendHandlers(new SendService(vertx, subscriptions, pushClient, settings.exchange(), services.clock()), settings.ttl()).bind(contract);
        return firstKey(keys).map(ready -> {
            dispatcher.start();
            return List.of(contract);
        });
    }

    /** A demo has no administrator who would create the first key. */
    private Future<Void> firstKey(VapidKeys keys) {
        return profile == Profile.DEMO ? keys.createFirst().mapEmpty() : Future.succeededFuture();
    }

    private Optional<String> subject() {
        return settings.subject().or(() -> Optional.of(services.publicUrl()).filter(url -> url.startsWith("https://")));
    }

    @Override
    public Future<?> stop() {
        return (requests == null ? Future.succeededFuture() : requests.unregister())
                .compose(ended -> dispatcher.stop())
                .eventually(() -> client.close());
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
