package io.arbitration.platform.db;

/** A tenant has as many statements waiting for a connection as are left free for others; tried again later, it may be admitted. */
public final class TenantShareUsedUp extends RuntimeException {

    TenantShareUsedUp(int waiting) {
        super("%d statements of the tenant wait for a connection".formatted(waiting), null, false, false);
    }
}
