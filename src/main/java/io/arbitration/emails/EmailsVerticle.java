package io.arbitration.emails;

import io.arbitration.emails.bounces.BounceRepository;
import io.arbitration.emails.bounces.BounceWatch;
import io.arbitration.emails.smtp.SmtpWiring;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.telemetry.Attempts;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The emails area: renders, stores and sends emails, and records the ones that come back. */
public final class EmailsVerticle extends AreaVerticle {

    private final AreaServices services;
    private final EmailsSettings settings;
    private final Profile profile;
    private MessageConsumer<JsonObject> requests;
    private Optional<SmtpWiring> sending = Optional.empty();
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
            EmailsService service = new EmailsService(vertx, emails, templates, services.objects(), settings.smtp(), services.traces(), services.clock(),
                    services.random());
            EmailsHandlers handlers = new EmailsHandlers(service);
            List<Contract> contracts = new ArrayList<>(List.of(handlers.bind(Contract.read("emails"))));
            if (profile == Profile.DEMO) {
                contracts.add(new HeldHandlers(service).bind(Contract.read("demo-emails")));
            }
            requests = vertx.eventBus().consumer(Addresses.EMAILS_SEND, handlers::asked);
            SmtpWiring smtp = new SmtpWiring(vertx, services, settings.smtp(), settings.returnPath(), emails);
            sending = Optional.of(smtp);
            smtp.start();
            // Registered at the start with 0, so that an alarm sees the first one as an increase.
            Attempts bounced = BounceWatch.counts(services.meters());
            bounces = settings.returnPath().map(path -> new BounceWatch(vertx, settings.bounces().mailboxes(vertx), path,
                    new BounceRepository(services.database()), bounced, services.observed().part("bounces"), services.clock(), settings.bounces().poll()));
            bounces.ifPresent(BounceWatch::start);
            return requests.completion().map(contracts);
        });
    }

    @Override
    public Future<?> stop() {
        return (requests == null ? Future.<Void>succeededFuture() : requests.unregister())
                .compose(unregistered -> sending.map(SmtpWiring::stop).orElseGet(Future::succeededFuture))
                .eventually(() -> bounces.map(BounceWatch::stop).orElseGet(Future::succeededFuture));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
