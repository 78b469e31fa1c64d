package dev.latchkey.plugins.apikeys;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which scopes an account may give its keys: those that it has itself, as {@code SCOPE_<scope>}, and those that the service gives to an authority of
 * the account. A scope has 1 to 64 visible ASCII characters without quotation marks and backslashes (RFC 6749 section 3.3).
 *
 * @param byAuthority for each scope the authorities of which one is enough to give it
 */
public record KeyScopes(Map<String, Set<String>> byAuthority) {

    /** What a scope's authority begins with, as Spring Security writes those of tokens. */
    public static final String AUTHORITY_PREFIX = "SCOPE_";

    static final int MOST_SCOPES = 50;
    static final int LONGEST_LIST = 1_000;

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,64}");

    /**
     * @param byAuthority for each scope the authorities of which one is enough to give it
     * @throws IllegalArgumentException if a name is no scope
     */
    public KeyScopes {
        byAuthority = byAuthority.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        entry -> requireScope(entry.getKey()), entry -> Set.copyOf(entry.getValue())));
    }

    /**
     * Those that an account has itself, and no others.
     *
     * @return scopes that no authority gives besides
     */
    public static KeyScopes ofTheAccount() {
        return new KeyScopes(Map.of());
    }

    boolean mayBeGiven(String scope, Collection<String> authorities) {
        return authorities.contains(AUTHORITY_PREFIX + scope)
                || byAuthority.getOrDefault(scope, Set.of()).stream().anyMatch(authorities::contains);
    }

    /** @throws IllegalArgumentException if one is no scope, or there are too many */
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

    /** In one order, since the digest of a key is bound to it. */
    static String joined(Set<String> scopes) {
        return String.join(" ", new TreeSet<>(scopes));
    }
}
