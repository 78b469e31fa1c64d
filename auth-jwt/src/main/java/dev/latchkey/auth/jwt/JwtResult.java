package dev.latchkey.auth.jwt;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What a verifier answers: the proof, or the reason why there is none. */
public sealed interface JwtResult {

    /** The token was signed with a key of the verifier, and it is valid now. */
    record Verified(VerifiedJwt jwt) implements JwtResult {
        public Verified {
            Objects.requireNonNull(jwt, "jwt");
        }
    }

    /** The token proves nothing. */
    record Refused(JwtDefect defect) implements JwtResult {
        public Refused {
            Objects.requireNonNull(defect, "defect");
        }
    }

    /** The value that the function for this case gives; every case is covered. */
    default <T> T fold(
            Function<? super VerifiedJwt, ? extends T> ifVerified, Function<? super JwtDefect, ? extends T> ifRefused) {
        if (this instanceof Verified verified) {
            return ifVerified.apply(verified.jwt());
        }
        return ifRefused.apply(((Refused) this).defect());
    }

    /** The verified token; empty if it was refused. */
    default Optional<VerifiedJwt> verified() {
        return this instanceof Verified verified ? Optional.of(verified.jwt()) : Optional.empty();
    }
}
