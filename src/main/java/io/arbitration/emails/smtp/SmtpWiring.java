package io.arbitration.emails.smtp;

import io.arbitration.emails.EmailRepository;
import io.arbitration.emails.bounces.ReturnPath;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Wires the sending of emails. Without a configured mail server there is none, and all emails are held. */
public final class SmtpWiring {

    private final Optional<MailServer> server;
    private final Optional<Dispatcher<ClaimedEmail, SendOutcome>> dispatcher;

    /** @param returnPath the address for reports of failed deliveries */
    public SmtpWiring(Vertx vertx, AreaServices services, SmtpSettings settings, Optional<ReturnPath> returnPath, EmailRepository emails) {
        server = settings.url().map(url -> new MailServer(vertx, settings, url));
        dispatcher = server.map(mailServer -> LeaseQueue.dispatcher(vertx, services, EmailSender.terms(settings),
                new DeliveryRepository(services.database(), emails, services.clock()),
                new EmailSender(vertx, mailServer, services.objects(), settings, returnPath, services.meters(), services.traces(), services.observed().part("smtp"), services.clock(),
                        services.random()), settings.inFlight()));
        dispatcher.ifPresent(sending -> services.meters().gauge("emails.in.flight", sending, Dispatcher::inFlight));
    }

    public void start() {
        dispatcher.ifPresent(Dispatcher::start);
    }

    /** Waits for the emails being sent, within the bound of {@link Dispatcher#stop}. */
    public Future<Void> stop() {
        return dispatcher.map(Dispatcher::stop).orElseGet(Future::succeededFuture)
                .eventually(() -> server.map(MailServer::close).orElseGet(Future::succeededFuture));
    }
}
