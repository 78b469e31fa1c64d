package dev.latchkey.auth;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The proofs of a login, and their time. Tokens carry the factors as {@code amr} (RFC 8176) and {@code auth_time}
 * (OpenID Connect Core 1.0, section 2).
 *
 * @param methods authentication method reference values of RFC 8176 if the RFC has a value: {@code pwd} for a password,
 *     {@code otp} for a one-time code. At most 8, each with 1 to 32 letters, digits, dots, underscores and hyphens.
 *     Unordered
 * @param at time of the first check
 */
public record Factors(Set<String> methods, Instant at) implements Serializable {

    /** RFC 8176: a password. */
    public static final String PASSWORD = "pwd";

    /** RFC 8176: a one-time password, by time or by counter. */
    public static final String ONE_TIME_CODE = "otp";

    private static final int MOST = 8;
    private static final int LONGEST = 32;
    private static final Factors NONE = new Factors(Set.of(), Instant.EPOCH);

    /**
     * Checks and copies the methods.
     *
     * @param methods at most 8, each with 1 to 32 letters, digits, dots, underscores and hyphens
     * @param at time of the first check
     * @throws IllegalArgumentException if there are too many methods, or a method has a wrong form
     */
    public Factors {
        methods = Set.copyOf(methods);
        Objects.requireNonNull(at, "at");
        boolean isRight = methods.size() <= MOST;
        for (String method : methods) {
            isRight &= isMethod(method);
        }
        if (!isRight) {
            throw new IllegalArgumentException("Factors are at most " + MOST
                    + " methods, each of 1 to 32 letters, digits, dots, underscores and hyphens");
        }
    }

    /**
     * No factors: the proofs of the login are unknown.
     *
     * @return no method, at the beginning of 1970
     */
    public static Factors none() {
        return NONE;
    }

    /**
     * These methods, checked at this time.
     *
     * @param at time of the first check
     * @param methods names of RFC 8176, if the RFC has a name; in any order, without duplicates
     * @return factors with exactly these methods
     * @throws IllegalArgumentException if a method occurs twice or has a wrong form, or there are too many methods
     */
    public static Factors of(Instant at, String... methods) {
        return new Factors(Set.of(methods), at);
    }

    /**
     * A copy with further methods.
     *
     * @param more methods of this login
     * @param checkedAt time of their check
     * @return factors with all methods; {@link #at} is the earlier time, if there was a method before
     * @throws IllegalArgumentException if the result has too many methods, or a method has a wrong form
     */
    public Factors and(Set<String> more, Instant checkedAt) {
        if (more.isEmpty()) {
            return this;
        }
        Set<String> all = new TreeSet<>(methods);
        all.addAll(more);
        return new Factors(all, methods.isEmpty() || checkedAt.isBefore(at) ? checkedAt : at);
    }

    /**
     * Whether the login has these methods, and its first check was recent. For changes that outlive a session, such as a
     * new API key or e-mail address.
     *
     * @param now the present time
     * @param most the longest time since the first check of this login
     * @param wanted required methods of the login
     * @return {@code false} if a method is missing, and if {@code most} or more is between {@code now} and the first check, in
     *     either direction: the clock of another node may be ahead
     */
    public boolean areFresh(Instant now, Duration most, String... wanted) {
        return methods.containsAll(Set.of(wanted))
                && Duration.between(at, now).abs().compareTo(most) < 0;
    }

    static boolean isMethod(String text) {
        return isPlain(text, LONGEST);
    }

    /** Uses no regular expression, because each request with factors runs this check. */
    static boolean isPlain(CharSequence text, int longest) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isLetterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!isLetterOrDigit && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= longest;
    }
}
