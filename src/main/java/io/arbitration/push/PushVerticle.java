package io.arbitration.push;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.config.Settings;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.queue.Dispatcher;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The push area: tells users in their browsers, also when no page of the platform is open there. */
public final class PushVerticle extends Area {

    private static final Logger LOG = LoggerFactory.getLogger(PushVerticle.class);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    private final Foundation foundation;
    private GuardedClient client;
    private Dispatcher<Claimed, Outcome> dispatcher;
    private MessageConsumer<JsonObject> requests;

    public PushVerticle(Foundation foundation) {
        super("push");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        Settings.Push settings = foundation.settings().push();
        Database database = foundation.database();
        client = new GuardedClient(vertx, new AddressRules(foundation.settings().outbound().allowedPrivate()),
                foundation.settings().outbound().nameServers());
        VapidKeys keys = new VapidKeys(new VapidKeyRepository(database), foundation.kms(), foundation.clock());
        VapidHeaders vapid = new VapidHeaders(keys::open, subject(settings), foundation.clock());
        PushServices services = new PushServices(settings.allowedEndpoints());
        PushClient pushClient = new PushClient(client, services, vapid, foundation.clock(), foundation.random());
        SubscriptionRepository subscriptions = new SubscriptionRepository(database);
        QueueRepository queue = new QueueRepository(database);
        UserMessages messages = new UserMessages(vertx, queue, pushClient, settings, foundation.meters(), foundation.traces(),
                foundation.random());
        dispatcher = new Dispatcher<>(vertx, "push", messages, foundation.wake(), QueueRepository.DUE, Dispatcher.Bounds.of(settings.inFlight()), foundation.random());
        foundation.meters().gauge("push.in.flight", dispatcher, Dispatcher::inFlight);
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> queue.forget(settings.history())
                .onFailure(failed -> LOG.warn("forgetting old push messages failed: {}", failed.getMessage())));
        requests = vertx.eventBus().consumer(Addresses.PUSH_SEND, messages::take);

        Contract contract = Contract.read("push");
        DemoPage.bind(contract);
        new PushHandlers(keys,
                new SubscriptionService(subscriptions, keys, services, settings, foundation.clock(), foundation.random()),
                new SendService(vertx, subscriptions, pushClient, settings.exchange(), foundation.clock()), settings.ttl()).bind(contract);
        return firstKey(keys).map(ready -> {
            dispatcher.start();
            return List.of(contract);
        });
    }

    /** Nobody makes keys in a demo. */
    private Future<Void> firstKey(VapidKeys keys) {
        return foundation.settings().profile() == Settings.Profile.DEMO ? keys.createFirst().mapEmpty() : Future.succeededFuture();
    }

    private Optional<String> subject(Settings.Push settings) {
        return settings.subject().or(() -> Optional.of(foundation.publicUrl()).filter(url -> url.startsWith("https://")));
    }

    @Override
    public Future<?> stop() {
        return (requests == null ? Future.succeededFuture() : requests.unregister())
                .compose(ended -> dispatcher.stop())
                .eventually(() -> client.close());
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
