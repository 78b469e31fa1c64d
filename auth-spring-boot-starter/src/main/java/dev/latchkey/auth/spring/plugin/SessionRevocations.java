package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;

/**
 * Decides whether {@link AuthChain#revokeAll} has ended an HTTP session of Spring Security. Each request asks the copy of the
 * revocation store, as for a token. A session has no time of its login, so the session gets an attribute with this time. A
 * session without the attribute counts from its creation, which is earlier.
 *
 * <p>A login in the second of the revocation is revoked too. The store keeps a revocation for the longest lifetime of a token or
 * of a refreshable session. An HTTP session survives a revocation if the session is idle for a longer time. Safe for use by any
 * number of threads.
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
        return isOfOneRequest(login) ? Optional.empty() : subjects.idOf(login);
    }

    /**
     * The subjects whose revocation ends a session: of its login, and of each login before a switch of the user.
     *
     * @param login of Spring Security; null without a login
     * @return the result of {@link #subjectOf} first, then the subjects before each switch; may be empty
     */
    public List<String> subjectsOf(@Nullable Authentication login) {
        List<String> found = new ArrayList<>();
        subjectOf(login).ifPresent(found::add);
        sourcesOf(login).forEach(source -> subjects.idOf(source).ifPresent(found::add));
        return found;
    }

    /**
     * The logins in a session, whatever the names of their attributes: each filter chain may have a name of its own.
     *
     * @param attributes the values of a session's attributes
     * @return the login of each security context
     */
    public static List<Authentication> loginsIn(Stream<?> attributes) {
        return attributes
                .filter(SecurityContext.class::isInstance)
                .map(context -> ((SecurityContext) context).getAuthentication())
                .filter(Objects::nonNull)
                .toList();
    }

    /** The logins before each switch of the user, the last one first. */
    private static List<Authentication> sourcesOf(@Nullable Authentication login) {
        List<Authentication> found = new ArrayList<>();
        Optional<Authentication> next = login == null ? Optional.empty() : Subjects.switchedFrom(login);
        while (next.isPresent()) {
            found.add(next.get());
            next = Subjects.switchedFrom(next.get());
        }
        return found;
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
     * Whether a login in a session has ended.
     *
     * @param login of Spring Security; null without a login
     * @param loggedIn the time of a subject's login
     * @return true after a revocation of one of the subjects, and if a user was switched with credentials of a single request
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean isRevoked(@Nullable Authentication login, Function<String, Instant> loggedIn) {
        return sourcesOf(login).stream().anyMatch(SessionRevocations::isOfOneRequest)
                || subjectsOf(login).stream()
                        .anyMatch(subject -> loggedIn.apply(subject).isBefore(store.notBefore(subject)));
    }

    /**
     * Whether an attribute of a session keeps a login with credentials of a single request. No session may keep such a login:
     * the end of the credentials does not end the session.
     *
     * @param attribute the value of the attribute
     * @return true for a security context with such a login
     */
    public static boolean keepsLoginOfOneRequest(@Nullable Object attribute) {
        return attribute instanceof SecurityContext context && isOfOneRequest(context.getAuthentication());
    }

    /**
     * Whether a login has credentials of a single request: a token, an API key, or a plugin's own credentials.
     *
     * @param login of Spring Security; null without a login
     * @return false for a login that a session may keep
     */
    public static boolean isOfOneRequest(@Nullable Authentication login) {
        return login instanceof LatchkeyAuthentication decided && decided.isOfOneRequest();
    }

    /**
     * Whether a revocation came since this time. Called before the issue of a credential that outlives the session. Asks the
     * store itself, so another node's revocation counts at once.
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
