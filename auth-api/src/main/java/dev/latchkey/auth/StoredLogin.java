package dev.latchkey.auth;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One login that refresh tokens prolong, as a {@link LoginStore} holds it. What the store holds cannot be used to log in:
 * of tokens it has the hashes only.
 *
 * @param id names the login; also the {@code sid} of the access tokens that were issued in it
 * @param plugin the name of the plugin that decided the login, and that alone is asked about its account later
 * @param subjectId who logged in
 * @param tokenHash the hash of the one refresh token that is good now
 * @param stamp what the account's credentials were at the login, under a key that only the token's bearer has
 * @param methods how the login was proved, as {@link Factors#methods()} has it
 * @param startedAt when the login was
 * @param endsAt when it ends, however often it is prolonged
 * @param expiresAt from when on the token is good for nothing, and the store may forget the login; no later than {@code endsAt}
 * @param replaced the token before the present one; null as long as the first one is good
 */
public record StoredLogin(
        String id,
        String plugin,
        String subjectId,
        String tokenHash,
        String stamp,
        Set<String> methods,
        Instant startedAt,
        Instant endsAt,
        Instant expiresAt,
        @Nullable Replaced replaced) {

    /** @throws IllegalArgumentException if it would expire after its end, or a method is none */
    public StoredLogin {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(tokenHash, "tokenHash");
        Objects.requireNonNull(stamp, "stamp");
        Objects.requireNonNull(startedAt, "startedAt");
        methods = new Factors(methods, startedAt).methods();
        if (expiresAt.isAfter(endsAt)) {
            throw new IllegalArgumentException("A login expires no later than it ends");
        }
    }

    /**
     * A token that has been used. Who presents it once more at nearly the same time lost a race, and is given what the winner was
     * given: the present token follows from this one and the seed.
     *
     * <p>The seed says nothing without that token. Who has the token and can read the store besides can compute the present one.
     *
     * @param tokenHash its hash
     * @param seed random, for this replacement
     * @param at when it was replaced
     */
    public record Replaced(String tokenHash, String seed, Instant at) {

        public Replaced {
            Objects.requireNonNull(tokenHash, "tokenHash");
            Objects.requireNonNull(seed, "seed");
            Objects.requireNonNull(at, "at");
        }
    }
}
