package io.arbitration.webhooks;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.keys.Reencryption;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundSettings;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.webhooks.deliveries.DeliveryHandlers;
import io.arbitration.webhooks.deliveries.DeliveryRepository;
import io.arbitration.webhooks.deliveries.DeliveryService;
import io.arbitration.webhooks.events.EventFeedHandlers;
import io.arbitration.webhooks.events.EventFeedRepository;
import io.arbitration.webhooks.events.EventFeedService;
import io.arbitration.webhooks.events.FanOutRepository;
import io.arbitration.webhooks.members.MemberRepository;
import io.arbitration.webhooks.members.Members;
import io.arbitration.webhooks.sending.ClaimedDelivery;
import io.arbitration.webhooks.sending.DeliveryOutcome;
import io.arbitration.webhooks.sending.DeliveryQueue;
import io.arbitration.webhooks.sending.QueueRepository;
import io.arbitration.webhooks.sending.SecretCipher;
import io.arbitration.webhooks.sending.TestRepository;
import io.arbitration.webhooks.sending.TestSender;
import io.arbitration.webhooks.sending.WebhookMessage;
import io.arbitration.webhooks.urls.OwnAddresses;
import io.arbitration.webhooks.urls.StoredSecretRepository;
import io.arbitration.webhooks.urls.UrlHandlers;
import io.arbitration.webhooks.urls.UrlRepository;
import io.arbitration.webhooks.urls.UrlService;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The webhooks area: notifies organizations of the events in their cases. */
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
    private Dispatcher<ClaimedDelivery, DeliveryOutcome> dispatcher;
    private Dispatcher<DisabledUrlEmail, Handover.Outcome<DisabledUrlEmail>> disabledUrlEmails;

    /** @param own addresses of the platform itself, which no webhook may use */
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
        client = new GuardedClient(vertx, services.callable(), outbound.nameServers());
        SecretCipher secrets = new SecretCipher(services.kms());
        WebhookMessage message = new WebhookMessage(client, services.clock(), settings.exchange());
        new Reencryption(services.kms()).begin("webhook URLs", new StoredSecretRepository(database));
        UrlRepository urls = new UrlRepository(database);
        DeliveryRepository deliveries = new DeliveryRepository(database);
        Members members = new Members(new MemberRepository(database));
        TestSender tests = new TestSender(new TestRepository(database), message, secrets, settings.exchange(), services.clock(), services.random());
        consumer = EventConsumer.withoutDrafts(vertx, database, services.notifications(), services.meters(), services.traces(), CONSUMER, Duration.ZERO,
                new FanOutRepository()::fanOut);
        DeliveryQueue queue = new DeliveryQueue(vertx, new QueueRepository(database), message, secrets,
                new DeliveryQueue.Bounds(settings.inFlight(), settings.inFlightPerUrl(), settings.exchange()), services.meters(), services.traces(), services.clock(), services.random());
        dispatcher = new Dispatcher<>(vertx, "webhooks", queue, services.notifications(), FanOutRepository.DUE, queue.dispatching(), services.random());
        services.meters().gauge("webhooks.in.flight", dispatcher, Dispatcher::inFlight);
        vertx.setPeriodic(READY_PERIOD.toMillis(), timer -> queue.countReady());
        disabledUrlEmails = LeaseQueue.dispatcher(vertx, services, Handover.terms(DisabledUrlEmailRepository.QUEUE), new DisabledUrlEmailRepository(database),
                new Handover<>(new BusHandover(vertx, areas), DisabledUrlEmailRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> deliveries.deleteExpired(settings.history())
                .onFailure(failed -> LOG.warn("removing old deliveries failed: {}", failed.getMessage())));

        Contract contract = Contract.read("webhooks").bind("viewWebhooksWelcome", new WelcomeHandler(settings)::welcome);
        new UrlHandlers(new UrlService(database, urls, members, tests, client, secrets, own, settings.urlsMax(),
                services.clock(), services.random())).bind(contract);
        new DeliveryHandlers(new DeliveryService(database, deliveries, urls, members)).bind(contract);
        new EventFeedHandlers(new EventFeedService(new EventFeedRepository(database), members)).bind(contract);
        return consumer.start().map(started -> {
            dispatcher.start();
            disabledUrlEmails.start();
            return List.of(contract);
        });
    }

    @Override
    public Future<?> stop() {
        return consumer.stop()
                .compose(stopped -> dispatcher.stop())
                .eventually(() -> disabledUrlEmails.stop())
                .eventually(() -> client.close());
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
