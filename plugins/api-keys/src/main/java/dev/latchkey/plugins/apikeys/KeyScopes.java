package dev.latchkey.plugins.apikeys;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The scopes that an account may grant to its keys: its own scopes, as {@code SCOPE_<scope>}, and the scopes configured
 * for its authorities. A scope has 1 to 64 visible ASCII characters without quotation marks and backslashes (RFC 6749
 * section 3.3).
 *
 * @param byAuthority for each scope, the sufficient authorities; any of them is enough
 */
public record KeyScopes(Map<String, Set<String>> byAuthority) {

    /** The prefix of a scope's authority, as in Spring Security. */
    public static final String AUTHORITY_PREFIX = "SCOPE_";

    static final int MOST_SCOPES = 50;
    static final int LONGEST_LIST = 1_000;

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,64}");

    /**
     * Checks and copies the scopes.
     *
     * @param byAuthority for each scope, the sufficient authorities
     * @throws IllegalArgumentException if a name is not a scope
     */
    public KeyScopes {
        byAuthority = byAuthority.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        entry -> requireScope(entry.getKey()), entry -> Set.copyOf(entry.getValue())));
    }

    /**
     * Only the account's own scopes.
     *
     * @return scopes without rules by authority
     */
    public static KeyScopes ofTheAccount() {
        return new KeyScopes(Map.of());
    }

    boolean mayBeGiven(String scope, Collection<String> authorities) {
        return authorities.contains(AUTHORITY_PREFIX + scope)
                || byAuthority.getOrDefault(scope, Set.of()).stream().anyMatch(authorities::contains);
    }

    /** @throws IllegalArgumentException if a text is not a scope, or there are too many scopes */
    static Set<String> requireScopes(Collection<String> scopes) {
        Set<String> sorted = new TreeSet<>();
        scopes.forEach(scope -> sorted.add(requireScope(scope)));
        if (sorted.size() > MOST_SCOPES || joined(sorted).length() > LONGEST_LIST) {
            throw new IllegalArgumentException(
                    "A key has at most " + MOST_SCOPES + " scopes of " + LONGEST_LIST + " characters in all");
        }
        return Set.copyOf(sorted);
    }

    private static String requireScope(String scope) {
        if (!SCOPE.matcher(scope).matches()) {
            throw new IllegalArgumentException("A scope has 1 to 64 visible ASCII characters, and neither quotation"
                    + " marks nor backslashes nor blanks");
        }
        return scope;
    }

    /** Sorted, because the digest of a key is bound to this text. */
    static String joined(Set<String> scopes) {
        return String.join(" ", new TreeSet<>(scopes));
    }
}
