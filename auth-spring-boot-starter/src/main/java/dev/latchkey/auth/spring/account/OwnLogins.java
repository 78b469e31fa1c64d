package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an access token's owner.
 *
 * <p>An access token shows the sessions with the token's subject id. The condition: the store still has the token's session, and
 * this session belongs to the subject. A token without a session shows no session. A token to act as another account shows no
 * session either.
 *
 * <p>Thread-safe. Each method throws {@link AuthUnavailableException} if a store does not answer.
 */
public final class OwnLogins {

    private final Function<String, Optional<VerifiedJwt>> tokens;
    private final AccountLogins logins;

    /**
     * The sessions of a service.
     *
     * @param tokens reads an access token; empty for a token that the service does not accept
     * @param logins the sessions of all accounts
     */
    public OwnLogins(Function<String, Optional<VerifiedJwt>> tokens, AccountLogins logins) {
        this.tokens = tokens;
        this.logins = logins;
    }

    /**
     * The bearer of a token, for one request.
     *
     * @param accessToken the token as the client sent it
     * @return empty for a token that the service does not accept
     */
    public Optional<Bearer> bearerOf(String accessToken) {
        return StoreTime.inOneRequest(() -> tokens.apply(accessToken)
                .map(jwt -> new Bearer(loginOf(jwt), JwtRevocations.actorOf(jwt).orElse(null), logins)));
    }

    private @Nullable StoredLogin loginOf(VerifiedJwt jwt) {
        if (JwtRevocations.actorOf(jwt).isPresent()) {
            return null;
        }
        String subject = jwt.subject().orElse("");
        return jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session
                ? logins.find(session)
                        .filter(login -> login.subjectId().equals(subject))
                        .orElse(null)
                : null;
    }

    /** The holder of a valid access token. */
    public static final class Bearer {

        private final @Nullable StoredLogin present;
        private final @Nullable String actor;
        private final AccountLogins logins;

        private Bearer(@Nullable StoredLogin present, @Nullable String actor, AccountLogins logins) {
            this.present = present;
            this.actor = actor;
            this.logins = logins;
        }

        /**
         * The account that acts as the token's subject. Answer such a request with 403.
         *
         * @return empty for a token of the owner
         */
        public Optional<String> actor() {
            return Optional.ofNullable(actor);
        }

        /**
         * The sessions of the bearer's account.
         *
         * @return the newest first; empty if the store has no session of the token, and for a token to act as another account
         */
        public List<StoredLogin> logins() {
            return present == null ? List.of() : logins.of(present.subjectId());
        }

        /**
         * Whether this is the session of the bearer's token.
         *
         * @param login one of {@link #logins}
         * @return true for the session of the token
         */
        public boolean isPresent(StoredLogin login) {
            return present != null && present.id().equals(login.id());
        }

        /**
         * Ends a session of the bearer's account.
         *
         * @param id any text from the request
         * @return false for an unknown id and for an id of another account: the client cannot distinguish the two
         */
        public boolean end(String id) {
            Optional<StoredLogin> own = logins.find(id)
                    .filter(login -> present != null && login.subjectId().equals(present.subjectId()));
            own.ifPresent(login -> logins.end(login.id(), login.subjectId(), LoginListener.Cause.OWNER));
            return own.isPresent();
        }
    }
}
