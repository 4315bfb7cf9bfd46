package io.arbitration.emails;

import io.arbitration.emails.bounces.BounceRepository;
import io.arbitration.emails.bounces.BounceWatch;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The emails area: renders, keeps and sends emails. */
public final class EmailsVerticle extends AreaVerticle {

    private final AreaServices services;
    private final EmailsSettings settings;
    private final Profile profile;
    private MessageConsumer<JsonObject> asked;
    private Optional<MailServer> server = Optional.empty();
    private Optional<Dispatcher<ClaimedEmail, SendOutcome>> dispatcher = Optional.empty();
    private Optional<BounceWatch> bounces = Optional.empty();

    public EmailsVerticle(AreaServices services, EmailsSettings settings, Profile profile) {
        super("emails");
        this.services = services;
        this.settings = settings;
        this.profile = profile;
    }

    @Override
    protected Future<List<Contract>> open() {
        return vertx.executeBlocking(() -> EmailTemplates.load(settings.templatesFolder())).compose(templates -> {
            EmailRepository emails = new EmailRepository(services.database());
            EmailsService service = new EmailsService(vertx, services, settings.smtp(), emails, templates);
            EmailsHandlers handlers = new EmailsHandlers(service);
            List<Contract> contracts = new ArrayList<>(List.of(handlers.bind(Contract.read("emails"))));
            if (profile == Profile.DEMO) {
                contracts.add(new HeldHandlers(service).bind(Contract.read("demo-emails")));
            }
            asked = vertx.eventBus().consumer(Addresses.EMAILS_SEND, handlers::asked);
            startSending(emails, settings.smtp());
            // Counted from the start, at 0, so that the first one is an increase that an alarm sees.
            Attempts cameBack = BounceWatch.counts(services.meters());
            bounces = settings.returnPath().map(path -> new BounceWatch(vertx, settings.bounces().mailboxes(vertx), path,
                    new BounceRepository(services.database()), cameBack, services.clock(), settings.bounces().poll()));
            bounces.ifPresent(BounceWatch::start);
            return asked.completion().map(contracts);
        });
    }

    private void startSending(EmailRepository emails, SmtpSettings smtp) {
        server = smtp.url().map(url -> new MailServer(vertx, smtp, url));
        dispatcher = server.map(mailServer -> LeaseQueue.dispatcher(vertx, services, EmailSender.terms(smtp), new DeliveryRepository(services.database(), emails),
                new EmailSender(vertx, mailServer, services.objects(), smtp, settings.returnPath(), services.meters(), services.traces(), services.clock(), services.random()),
                smtp.inFlight()));
        dispatcher.ifPresent(sending -> services.meters().gauge("emails.in.flight", sending, Dispatcher::inFlight));
        dispatcher.ifPresent(Dispatcher::start);
    }

    @Override
    public Future<?> stop() {
        return (asked == null ? Future.<Void>succeededFuture() : asked.unregister())
                .compose(unregistered -> dispatcher.map(Dispatcher::stop).orElseGet(Future::succeededFuture))
                .eventually(() -> bounces.map(BounceWatch::stop).orElseGet(Future::succeededFuture))
                .eventually(() -> server.map(MailServer::close).orElseGet(Future::succeededFuture));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
