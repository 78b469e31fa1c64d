package dev.latchkey.auth.cache;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a token's verdict was reached under, besides its {@code exp}.
 *
 * @param ringVersion the version of the key ring
 * @param notBefore the subject's revocation bound: where it has moved since, only the verifier can say, since only it
 *     knows the token's {@code iat}
 * @param tokenId the token's {@code jti}, null where it has none and so cannot be revoked alone
 */
record TokenBinding(
        long ringVersion, Instant notBefore, @Nullable String tokenId) {

    /** For verdicts that are not a token's. */
    static final TokenBinding NONE = new TokenBinding(0, Instant.MIN, null);

    TokenBinding {
        Objects.requireNonNull(notBefore, "notBefore");
    }
}
