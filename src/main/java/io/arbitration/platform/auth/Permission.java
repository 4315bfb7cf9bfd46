package io.arbitration.platform.auth;

import java.util.Set;

/** The permissions that operations of the contracts name. */
public final class Permission {

    public static final String SUPER_ADMINISTRATOR = "admin.platform.super";
    public static final String NOTIFICATION_CREATOR = "push.notifications.creator";
    public static final String KEY_CREATOR = "push.keys.creator";
    public static final String EMAIL_SENDER = "emails.email.sender";

    public static final Set<String> ALL = Set.of(SUPER_ADMINISTRATOR, NOTIFICATION_CREATOR, KEY_CREATOR, EMAIL_SENDER);

    private Permission() {}
}
