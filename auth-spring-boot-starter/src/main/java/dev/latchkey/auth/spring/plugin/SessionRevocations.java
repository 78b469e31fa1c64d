package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * Decides whether {@link AuthChain#revokeAll} has ended an HTTP session of Spring Security. Each request asks the copy of the
 * revocation store, as for a token. A session has no time of its login, so the session gets an attribute with this time. A
 * session without the attribute counts from its creation, which is earlier.
 *
 * <p>A login in the second of the revocation is revoked too. The store keeps a revocation for the longest lifetime of a token or
 * of a refreshable session; a longer idle HTTP session survives. Safe for use by any number of threads.
 */
public final class SessionRevocations {

    private static final String ATTRIBUTE = SessionRevocations.class.getName() + " ";

    private final Subjects subjects;
    private final RevocationStore store;
    private final InstantSource clock;

    /**
     * Sessions of a service.
     *
     * @param plugins name the subjects
     * @param store the revocations
     * @param clock for the times of logins
     */
    public SessionRevocations(AuthChain plugins, RevocationStore store, InstantSource clock) {
        this.subjects = new Subjects(plugins);
        this.store = StoreTime.of(store);
        this.clock = clock;
    }

    /**
     * The present time.
     *
     * @return the time of a login in the present request
     */
    public Instant now() {
        return clock.instant();
    }

    /**
     * The subject of a login that a session may keep.
     *
     * @param login of Spring Security; null without a login
     * @return empty without a login, and for credentials of a single request
     */
    public Optional<String> subjectOf(@Nullable Authentication login) {
        return login instanceof LatchkeyAuthentication decided && decided.isOfOneRequest()
                ? Optional.empty()
                : subjects.idOf(login);
    }

    /**
     * The attribute of a session for the time of this subject's login, a {@link Long} in milliseconds since 1970.
     *
     * @param subjectId from {@link #subjectOf}
     * @return the name of the attribute
     */
    public static String attributeOf(String subjectId) {
        return ATTRIBUTE + subjectId;
    }

    /**
     * Whether a login of this time has ended.
     *
     * @param subjectId from {@link #subjectOf}
     * @param loggedIn the time of the login
     * @return true after a revocation of the subject
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean isRevoked(String subjectId, Instant loggedIn) {
        return loggedIn.isBefore(store.notBefore(subjectId));
    }

    /**
     * Whether a revocation came since this time. Asked before a credential that outlives the session, so another node's
     * revocation counts at once.
     *
     * @param subjectId of the login
     * @param begun the start of the request of the login
     * @return true also for a revocation in the same second
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean isRevokedSince(String subjectId, Instant begun) {
        return store.isSubjectRevoked(subjectId, begun);
    }

    /**
     * The time of the login in a session.
     *
     * @param attribute the value of {@link #attributeOf}; null if the session has none
     * @param created the creation of the session
     * @return the earliest possible time
     */
    public static Instant timeOf(@Nullable Object attribute, Instant created) {
        return attribute instanceof Long millis ? Instant.ofEpochMilli(millis) : created;
    }
}
