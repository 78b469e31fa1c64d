package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;

/**
 * Grants a permission to a subject with an authority of the permission's name: resource, dot, action. A {@code *} in an
 * authority stands for any text. So {@code order.*} grants the action {@code read} on {@code order} and on
 * {@code order.item}. Abstains if no authority fits. Immutable.
 */
final class AuthorityPermissions implements PermissionSource {

    private static final char ANY = '*';

    @Override
    public String name() {
        return "authorities";
    }

    /** True: no call leaves this process. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        String wanted = permission.resource() + "." + permission.action();
        for (String authority : subject.authorities()) {
            if (fits(authority, wanted)) {
                return Access.GRANTED;
            }
        }
        return Access.ABSTAINED;
    }

    /**
     * Compares with two positions, and goes back to the last star only: the steps are at most the product of both lengths.
     * A regular expression would go back to each star: for some texts, each further star multiplies its steps. A part of
     * the text may come from the path of a request.
     */
    static boolean fits(String pattern, String text) {
        int p = 0;
        int t = 0;
        int lastStar = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == ANY) {
                lastStar = p++;
                resume = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (lastStar >= 0) {
                p = lastStar + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == ANY) {
            p++;
        }
        return p == pattern.length();
    }
}
