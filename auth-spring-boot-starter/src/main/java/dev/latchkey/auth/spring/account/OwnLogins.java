package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The logins of whoever presents an access token.
 *
 * <p>The login that the token was issued in says whose they are, and not the token's subject. Two plugins may have accounts of one name, and
 * the owner of one must not see the logins of the other. So a token that belongs to no login that is kept sees none.
 *
 * <p>Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} where a store does not answer.
 */
public final class OwnLogins {

    private final JwtVerifier verifier;
    private final RevocationStore revocations;
    private final AccountLogins logins;

    /**
     * The logins of a service.
     *
     * @param verifier of its access tokens
     * @param revocations of them
     * @param logins of all its accounts
     */
    public OwnLogins(JwtVerifier verifier, RevocationStore revocations, AccountLogins logins) {
        this.verifier = verifier;
        this.revocations = revocations;
        this.logins = logins;
    }

    /**
     * The bearer of a token, for one request.
     *
     * @param accessToken as it was sent
     * @return empty where the token is not good
     */
    public Optional<Bearer> bearerOf(String accessToken) {
        StoreTime time = StoreTime.ofARequest();
        JwtRevocations timed = JwtRevocations.in(time.of(revocations));
        AccountLogins inTime = logins.during(time);
        return verifier.verify(accessToken)
                .verified()
                .filter(jwt -> !timed.isRevoked(jwt))
                .map(jwt -> new Bearer(loginOf(jwt, inTime), inTime));
    }

    private static @Nullable StoredLogin loginOf(VerifiedJwt jwt, AccountLogins logins) {
        String subject = jwt.subject().orElse("");
        return jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session
                ? logins.find(session)
                        .filter(login -> login.subjectId().equals(subject))
                        .orElse(null)
                : null;
    }

    /** Who presented a good token. */
    public static final class Bearer {

        private final @Nullable StoredLogin present;
        private final AccountLogins logins;

        private Bearer(@Nullable StoredLogin present, AccountLogins logins) {
            this.present = present;
            this.logins = logins;
        }

        /**
         * The logins of the bearer's account.
         *
         * @return the newest first; none where the token belongs to no login that is kept
         */
        public List<StoredLogin> logins() {
            return present == null ? List.of() : logins.of(present.owner());
        }

        /**
         * Tells the login that the bearer is using from the others.
         *
         * @param login one of {@link #logins}
         * @return true if the token was issued in it
         */
        public boolean isPresent(StoredLogin login) {
            return present != null && present.id().equals(login.id());
        }

        /**
         * Ends a login of the bearer's account.
         *
         * @param id what the bearer sent, of any form
         * @return false where there is none of this id, or it is somebody else's: a stranger cannot tell these apart
         */
        public boolean end(String id) {
            Optional<StoredLogin> own = logins.find(id)
                    .filter(login -> present != null && login.owner().equals(present.owner()));
            own.ifPresent(login -> logins.end(login.id(), login.subjectId(), LoginListener.Cause.OWNER));
            return own.isPresent();
        }
    }
}
