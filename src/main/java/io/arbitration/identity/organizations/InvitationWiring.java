package io.arbitration.identity.organizations;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Vertx;

/** Has people told of invitations into organizations. */
public final class InvitationWiring {

    private InvitationWiring() {}

    /** The queue of what is to be told; to be started and stopped. */
    public static Dispatcher<?, ?> news(Vertx vertx, AreaServices services, AreaSettings areas) {
        return LeaseQueue.dispatcher(vertx, services, Handover.terms(InvitationNewsRepository.QUEUE),
                new InvitationNewsRepository(services.database(), new InvitationNews.Sender(services.publicUrl(), services.clock())),
                new Handover<>(new BusHandover(vertx, areas), InvitationNewsRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
    }
}
