package io.arbitration.cases.invitations;

import io.arbitration.cases.CaseChanges;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the invitations to cases. */
public final class InvitationWiring {

    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(InvitationWiring.class);

    private final Vertx vertx;
    private final AreaServices services;
    private final InvitationSettings settings;
    private final InvitationService service;
    private final Dispatcher<InvitationNotification, Handover.Outcome<InvitationNotification>> notifications;
    private long sweeping = -1;

    public InvitationWiring(Vertx vertx, AreaServices services, AreaSettings areas, CaseChanges changes, Definitions definitions, InvitationSettings settings) {
        this.vertx = vertx;
        this.services = services;
        this.settings = settings;
        InvitationRepository repository = new InvitationRepository(services.database(), settings.superAdministrators());
        service = new InvitationService(services.database(), repository, changes, services.audit(), definitions, services.clock(), services.random());
        notifications = LeaseQueue.dispatcher(vertx, services, Handover.terms(InvitationNotificationRepository.QUEUE),
                new InvitationNotificationRepository(services.database(), settings.superAdministrators(),
                        new InvitationNotification.Sender(definitions, services.publicUrl(), services.clock())),
                new Handover<>(new BusHandover(vertx, areas), InvitationNotificationRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
    }

    public InvitationHandlers handlers() {
        return new InvitationHandlers(service);
    }

    public void start() {
        notifications.start();
        sweeping = vertx.setPeriodic(SWEEP_PERIOD.toMillis(), timer -> service.sweep(services.clock().instant().minus(settings.kept()))
                .onFailure(failed -> LOG.warn("removing old invitations failed: {}", failed.getMessage())));
    }

    public Future<Void> stop() {
        vertx.cancelTimer(sweeping);
        return notifications.stop();
    }
}
