package dev.latchkey.auth.jwt;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The result of a verification: the verified token, or the reason why it was refused. */
public sealed interface JwtResult {

    /** The token was signed with a key of the verifier, and it is valid now. */
    record Verified(VerifiedJwt jwt) implements JwtResult {
        /**
         * The token is good.
         *
         * @param jwt the proof, which a verifier alone makes
         */
        public Verified {
            Objects.requireNonNull(jwt, "jwt");
        }
    }

    /** The token was refused, so nothing in it may be relied on. */
    record Refused(JwtDefect defect) implements JwtResult {
        /**
         * The token is refused.
         *
         * @param defect the first that was found
         */
        public Refused {
            Objects.requireNonNull(defect, "defect");
        }
    }

    /**
     * Applies the function for the case at hand, and returns its value.
     *
     * @param <T> what both functions give
     * @param ifVerified is given the token
     * @param ifRefused is given the first defect that was found
     * @return what the one that was called gave
     */
    default <T> T fold(
            Function<? super VerifiedJwt, ? extends T> ifVerified, Function<? super JwtDefect, ? extends T> ifRefused) {
        if (this instanceof Verified verified) {
            return ifVerified.apply(verified.jwt());
        }
        return ifRefused.apply(((Refused) this).defect());
    }

    /**
     * The verified token; empty if it was refused.
     *
     * @return the token of {@link Verified}
     */
    default Optional<VerifiedJwt> verified() {
        return this instanceof Verified verified ? Optional.of(verified.jwt()) : Optional.empty();
    }
}
