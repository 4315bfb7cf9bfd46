package io.arbitration.identity.users;

import io.arbitration.platform.auth.Permission;
import java.util.Set;
import java.util.TreeSet;

/**
 * The super administrators, whom the configuration names by email. The operator trusts all configured providers to verify emails,
 * so the email may come from any of them.
 */
public final class SuperAdministrators {

    private final Set<String> emails;

    public SuperAdministrators(Set<String> emails) {
        this.emails = Set.copyOf(emails.stream().map(SuperAdministrators::folded).toList());
    }

    /** Their emails, in lower case as far as they are ASCII. */
    public Set<String> emails() {
        return emails;
    }

    public boolean names(User user) {
        return emails.contains(folded(user.email()));
    }

    /** The permissions of the user, granted and configured, in alphabetical order. */
    public Set<String> permissions(User user) {
        Set<String> permissions = new TreeSet<>(user.granted());
        if (names(user)) {
            permissions.add(Permission.SUPER_ADMINISTRATOR);
        }
        return permissions;
    }

    /**
     * Only A to Z become lower case. In Unicode, the lower case of the Kelvin sign is k, so another mailbox could pass for that of an
     * administrator.
     */
    public static String folded(String email) {
        StringBuilder folded = new StringBuilder(email.length());
        for (int i = 0; i < email.length(); i++) {
            char c = email.charAt(i);
            folded.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        return folded.toString();
    }
}
