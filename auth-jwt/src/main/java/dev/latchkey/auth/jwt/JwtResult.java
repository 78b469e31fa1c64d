package dev.latchkey.auth.jwt;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The result of a verification: the verified token, or the reason for the rejection. */
public sealed interface JwtResult {

    /** A key of the verifier signed the token, and the token is valid now. */
    record Verified(VerifiedJwt jwt) implements JwtResult {
        /**
         * Creates a result for a valid token.
         *
         * @param jwt the proof; only a verifier creates one
         */
        public Verified {
            Objects.requireNonNull(jwt, "jwt");
        }
    }

    /** The token was rejected. Do not trust any of its content. */
    record Refused(JwtDefect defect) implements JwtResult {
        /**
         * Creates a result for a rejected token.
         *
         * @param defect the first defect found
         */
        public Refused {
            Objects.requireNonNull(defect, "defect");
        }
    }

    /**
     * Applies the matching function and returns its value.
     *
     * @param <T> the result type of both functions
     * @param ifVerified receives the token
     * @param ifRefused receives the first defect found
     * @return the value of the called function
     */
    default <T> T fold(
            Function<? super VerifiedJwt, ? extends T> ifVerified, Function<? super JwtDefect, ? extends T> ifRefused) {
        if (this instanceof Verified verified) {
            return ifVerified.apply(verified.jwt());
        }
        return ifRefused.apply(((Refused) this).defect());
    }

    /**
     * The verified token; empty if the token was rejected.
     *
     * @return the token of {@link Verified}
     */
    default Optional<VerifiedJwt> verified() {
        return this instanceof Verified verified ? Optional.of(verified.jwt()) : Optional.empty();
    }
}
