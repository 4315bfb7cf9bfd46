package io.arbitration.platform.events;

import io.arbitration.platform.config.AreaSettings;
import io.vertx.core.eventbus.DeliveryOptions;
import java.time.Duration;

/**
 * The event-bus addresses: at which an area does something for another or for a verticle from outside the platform, and at
 * which events are published. All bodies are JSON; {@code asyncapi/events.yaml} describes them. A request is a JSON object, its reply says that the
 * work is durable; a refusal is a failed reply whose code is the HTTP status that the same request would be answered. The bus
 * itself promises nothing: whoever needs the work done asks again until it is acknowledged, with the same idempotency key.
 */
public final class Addresses {

    /**
     * Request: the body of {@code POST /emails/email/send}, and, which HTTP does not take, {@code attachments [{fileName,
     * contentType, contentID?, address, bytes, sha256, blockHashes (Base64)}]}: at most 40 PDFs, PNGs and JPEGs of 16 MiB together, by
     * their addresses in the object store, where they have to stay. Those with a contentID the HTML shows as {@code cid:}.
     * Reply: {@code "Email accepted."}
     */
    public static final String EMAILS_SEND = "emails.send";

    /**
     * Tells a user something by web push on each of its subscriptions, durably: when the reply has come, nothing is lost.
     * Request {@code {idempotencyKey (1 to 200 characters), userID, notification {title, body, icon?, url?, data?}}}, reply
     * {@code {queued: n}}, the number of subscriptions told. The same key for the same user again tells nothing twice and
     * answers the same number.
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

    private Addresses() {}

    /**
     * How an area is asked at its address. Where this node serves it, it is asked here: another node may stand still, and
     * would be waited for. Where it does not, any node of the cluster that serves it is.
     */
    public static DeliveryOptions asking(AreaSettings areas, String address, Duration replyWait) {
        String area = address.substring(0, address.indexOf('.'));
        return new DeliveryOptions().setSendTimeout(replyWait.toMillis()).setLocalOnly(areas.serves(area));
    }
}
