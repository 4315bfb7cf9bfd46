package io.arbitration.identity.organizations;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Vertx;

/** Wires the notifications of invitations to organizations. */
public final class InvitationWiring {

    private InvitationWiring() {}

    /** The dispatcher of these notifications; the caller starts and stops it. */
    public static Dispatcher<?, ?> notifications(Vertx vertx, AreaServices services, AreaSettings areas) {
        return LeaseQueue.dispatcher(vertx, services, Handover.terms(InvitationNotificationRepository.QUEUE),
                new InvitationNotificationRepository(services.database(), new InvitationNotification.Sender(services.publicUrl(), services.clock())),
                new Handover<>(new BusHandover(vertx, areas), InvitationNotificationRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
    }
}
