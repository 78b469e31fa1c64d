package dev.latchkey.auth;

import java.time.Instant;
import java.util.Objects;

/**
 * One login that refresh tokens prolong, as a {@link RefreshTokenStore} holds it. Who reads the store can use nothing of it:
 * tokens are there as hashes only.
 *
 * @param id names the family; also the {@code sid} of the access tokens that were issued in it
 * @param subjectId who logged in
 * @param tokenHash the hash of the one refresh token that is good now
 * @param stamp what the account's credentials were at the login, under a key that only the token's bearer has
 * @param startedAt when the login was
 * @param endsAt when it ends, however often it is prolonged
 * @param expiresAt from when on the token is good for nothing, and the store may forget the family; no later than {@code endsAt}
 */
public record RefreshFamily(
        String id,
        String subjectId,
        String tokenHash,
        String stamp,
        Instant startedAt,
        Instant endsAt,
        Instant expiresAt) {

    /** @throws IllegalArgumentException if it would expire after its end */
    public RefreshFamily {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(tokenHash, "tokenHash");
        Objects.requireNonNull(stamp, "stamp");
        Objects.requireNonNull(startedAt, "startedAt");
        if (expiresAt.isAfter(endsAt)) {
            throw new IllegalArgumentException("A family of refresh tokens expires no later than it ends");
        }
    }
}
