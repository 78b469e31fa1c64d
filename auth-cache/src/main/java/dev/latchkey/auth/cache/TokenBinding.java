package dev.latchkey.auth.cache;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What a token's verdict was reached under, besides its {@code exp}.
 *
 * @param ringVersion the version of the key ring
 * @param notBefore the subject's revocation bound: where it has moved since, only the verifier can say, since only it
 *     knows the token's {@code iat}
 * @param revocableIds the ids of the token and of its login, empty where it has none and so cannot be revoked by them
 */
record TokenBinding(long ringVersion, Instant notBefore, List<String> revocableIds) {

    /** For verdicts that are not a token's. */
    static final TokenBinding NONE = new TokenBinding(0, Instant.MIN, List.of());

    TokenBinding {
        Objects.requireNonNull(notBefore, "notBefore");
        revocableIds = List.copyOf(revocableIds);
    }
}
