package io.arbitration.platform.events;

import io.arbitration.platform.config.AreaSettings;
import io.vertx.core.eventbus.DeliveryOptions;
import java.time.Duration;

/**
 * The addresses of the event bus: for requests to an area, from another area or from a verticle outside of the platform, and for
 * published events. All bodies are JSON; {@code asyncapi/event-bus.yaml} describes them. A reply to a request means that the work
 * is done or durably queued. A refused request gets a failed reply whose code is the HTTP status of the same request over HTTP.
 * The bus may lose a message, so a requester repeats its request, with the same idempotency key, until it gets a reply.
 */
public final class Addresses {

    /**
     * Request: the body of {@code POST /emails/email/send}, and additionally, not accepted over HTTP, {@code attachments
     * [{fileName, contentType, contentID?, address, bytes, sha256, blockHashes (Base64)}]}: at most 40 PDFs, PNGs and JPEGs of 16
     * MiB together, by their addresses in the object store, where they have to stay. The HTML refers to those with a contentID by
     * {@code cid:}. Reply: {@code "Email accepted."}
     */
    public static final String EMAILS_SEND = "emails.send";

    /**
     * Notifies a user by web push on each of its subscriptions; the reply means that the notification is durably queued. Request
     * {@code {idempotencyKey (1 to 200 characters), userID, notification {title, body, icon?, url?, data?}}}, reply {@code
     * {queued: n}}, the number of subscriptions. A repeated key of the same user queues nothing and gets the same number.
     */
    public static final String PUSH_SEND = "push.send";

    /** Request {@code {userIDs}}, at most 1,000; reply {@code {profiles [{id, first_name, last_name}]}} as {@code POST /profiles/users/public-profiles}. */
    public static final String PROFILES_USERS = "profiles.users";

    /** Request {@code {organizationIDs}}, at most 1,000; reply {@code {profiles [{id, name}]}} as {@code POST /profiles/organizations/public-profiles}. */
    public static final String PROFILES_ORGANIZATIONS = "profiles.organizations";

    /** Published: the envelope of a {@code docket_filing}. */
    public static final String DOCKET_ENTRY_ADDED = "docket.entry.added";

    /** Published: the envelope of a {@code case_created}. */
    public static final String CASE_CREATED = "case.created";

    /** Published: the envelope of a {@code phase_changed}. */
    public static final String PHASE_CHANGED = "phase.changed";

    /** Published: the envelope of a {@code case_closed}. */
    public static final String CASE_CLOSED = "case.closed";

    /** Published: the envelope of a {@code participant_added}. */
    public static final String PARTICIPANT_ADDED = "participant.added";

    /** Published: the envelope of a {@code participant_removed}. */
    public static final String PARTICIPANT_REMOVED = "participant.removed";

    /** Published: the envelope of a {@code hearing_scheduled}. */
    public static final String HEARING_SCHEDULED = "hearing.scheduled";

    /** Published: the envelope of a {@code hearing_changed}. */
    public static final String HEARING_CHANGED = "hearing.changed";

    /** Published: the envelope of a {@code hearing_cancelled}. */
    public static final String HEARING_CANCELLED = "hearing.cancelled";

    private Addresses() {}

    /**
     * The options of a request to an area. If this node serves the area, the request stays on this node, so that it never waits
     * for another node that hangs. Otherwise it goes to any node of the cluster that serves the area.
     */
    public static DeliveryOptions asking(AreaSettings areas, String address, Duration replyWait) {
        String area = address.substring(0, address.indexOf('.'));
        return new DeliveryOptions().setSendTimeout(replyWait.toMillis()).setLocalOnly(areas.serves(area));
    }
}
