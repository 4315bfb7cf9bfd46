package io.arbitration.platform.auth;

import io.arbitration.platform.db.RequestKey;
import java.util.Optional;
import java.util.UUID;

/**
 * Who asks for a change, from where, and for which request: what services decide by and the audit trail keeps.
 *
 * @param address of the peer, or the one that a trusted proxy names
 * @param trace context of the trace that the request is part of (W3C {@code traceparent}); empty where it is not traced
 * @param key the {@code Idempotency-Key} that the request holds, to be marked in the transaction that does its work
 */
public record Requester(Caller caller, String requestId, String address, Optional<String> trace, Optional<RequestKey> key) {

    public UUID userId() {
        return caller.id();
    }

    public boolean isSuperAdministrator() {
        return caller.isSuperAdministrator();
    }
}
