package io.arbitration.platform.events;

/**
 * The event-bus addresses at which an area does something for another. A request is a JSON object, its reply says that the
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

    private Addresses() {}
}
