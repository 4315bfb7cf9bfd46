package io.arbitration.webhooks;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.outbound.OutboundSettings;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.queue.Dispatcher;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The webhooks area: tells organizations of the events in their cases. */
public final class WebhooksVerticle extends AreaVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(WebhooksVerticle.class);
    private static final String CONSUMER = "webhooks";
    private static final Duration READY_PERIOD = Duration.ofSeconds(5);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    private final AreaServices services;
    private final WebhooksSettings settings;
    private final OutboundSettings outbound;
    private final AreaSettings areas;
    private final OwnAddresses own;
    private GuardedClient client;
    private EventConsumer consumer;
    private Dispatcher<Claimed, Outcome> dispatcher;
    private Notices notices;

    /** @param own addresses of the platform itself, which no webhook may have */
    public WebhooksVerticle(AreaServices services, WebhooksSettings settings, OutboundSettings outbound, AreaSettings areas, OwnAddresses own) {
        super("webhooks");
        this.services = services;
        this.settings = settings;
        this.outbound = outbound;
        this.areas = areas;
        this.own = own;
    }

    @Override
    protected Future<List<Contract>> open() {
        Database database = services.database();
        client = new GuardedClient(vertx, new AddressRules(outbound.allowedPrivate()), outbound.nameServers());
        SecretBox secrets = new SecretBox(services.kms());
        WebhookMessage message = new WebhookMessage(client, services.clock(), settings.exchange());
        UrlRepository urls = new UrlRepository(database);
        DeliveryRepository deliveries = new DeliveryRepository(database);
        MemberRepository members = new MemberRepository(database);
        consumer = new EventConsumer(vertx, database, services.notifications(), services.meters(), services.traces(), CONSUMER, Duration.ZERO, new FanOutRepository()::tell);
        DeliveryQueue queue = new DeliveryQueue(vertx, new QueueRepository(database), message, secrets, settings,
                services.meters(), services.traces(), services.clock(), services.random());
        dispatcher = new Dispatcher<>(vertx, "webhooks", queue, services.notifications(), FanOutRepository.DUE, DeliveryQueue.bounds(settings), services.random());
        services.meters().gauge("webhooks.in.flight", dispatcher, Dispatcher::inFlight);
        vertx.setPeriodic(READY_PERIOD.toMillis(), timer -> queue.countReady());
        notices = new Notices(vertx, areas, new NoticeRepository(database), services.notifications(), services.random());
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> deliveries.forget(settings.history())
                .onFailure(failed -> LOG.warn("forgetting old deliveries failed: {}", failed.getMessage())));

        Contract contract = Contract.read("webhooks").bind("welcome", new WelcomeHandler(settings)::welcome);
        new UrlHandlers(new UrlService(services, urls, deliveries, client, message, secrets, own, settings.urlsMax()), urls, members).bind(contract);
        new DeliveryHandlers(deliveries, urls, new FeedRepository(database), members).bind(contract);
        return consumer.start().map(started -> {
            dispatcher.start();
            notices.start();
            return List.of(contract);
        });
    }

    @Override
    public Future<?> stop() {
        return consumer.stop()
                .compose(stopped -> dispatcher.stop())
                .eventually(() -> notices.stop())
                .eventually(() -> client.close());
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
