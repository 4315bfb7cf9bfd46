package io.arbitration.identity.users;

import io.arbitration.platform.auth.Permission;
import java.util.Set;
import java.util.TreeSet;

/**
 * The super administrators that the configuration names by verified email. Whoever operates the platform trusts every
 * configured provider to verify emails, so the email counts whichever provider it comes from.
 */
public final class SuperAdministrators {

    private final Set<String> emails;

    public SuperAdministrators(Set<String> emails) {
        this.emails = Set.copyOf(emails.stream().map(SuperAdministrators::folded).toList());
    }

    /** Their emails, folded. */
    public Set<String> emails() {
        return emails;
    }

    public boolean names(User user) {
        return emails.contains(folded(user.email()));
    }

    /** What the user may do: granted and configured, in alphabetical order. */
    public Set<String> permissions(User user) {
        Set<String> permissions = new TreeSet<>(user.granted());
        if (names(user)) {
            permissions.add(Permission.SUPER_ADMINISTRATOR);
        }
        return permissions;
    }

    /** Only A to Z are folded: Unicode folding makes a Kelvin sign a k, and so another mailbox an administrator's. */
    public static String folded(String email) {
        StringBuilder folded = new StringBuilder(email.length());
        for (int i = 0; i < email.length(); i++) {
            char c = email.charAt(i);
            folded.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        return folded.toString();
    }
}
