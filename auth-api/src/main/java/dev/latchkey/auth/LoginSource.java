package dev.latchkey.auth;

import java.time.Duration;
import java.util.Optional;

/**
 * A plugin that decides about credentials of one kind, and knows which account they prove.
 *
 * <p>An account belongs to its source. Two sources may each have an account {@code alice}; the chain tells the two apart, unless the service says that
 * both sources mean the same people.
 *
 * @param <C> the kind of credentials that this source decides about
 */
public interface LoginSource<C extends Credentials> extends AuthPlugin {

    /**
     * The kind of credentials that this source decides about. The chain shows this source no other kind.
     *
     * @return the same class at every call
     */
    Class<C> kind();

    /**
     * Decides about these credentials.
     *
     * <p>A wrong password and an unknown account take the same work and the same time. A source that abstains from unknown accounts does this work in
     * {@link #unrecognized}.
     *
     * @param credentials from the request, unchecked
     * @param context of the request that carried the credentials; most sources do not need it
     * @return {@link Authenticated}, {@link Rejected}, {@link Challenged} where this source itself wants another step first, or {@link Abstained} where
     *     the account is unknown here and another source may know it
     * @throws AuthUnavailableException if the source could not decide, because its store is down for example. A rejection would tell the caller that the
     *     password is wrong
     */
    Decision authenticate(C credentials, RequestContext context);

    /**
     * How long the chain may accept a password again without a new question, after this source found the password right. The chain caches {@link
     * Authenticated} decisions about {@link PasswordCredentials} and nothing else. A change of the account takes effect after this time at the latest.
     *
     * @return empty unless overridden, so that the source is asked each time; otherwise positive and at most 15 minutes; the same at every call
     */
    default Optional<Duration> reusableFor() {
        return Optional.empty();
    }

    /**
     * Does the work of wrong credentials, a password hash for example, so that the time of a rejection does not depend on the account. The chain calls
     * this method for a name that no source knows, and for a password that another source rejected. A source that decides without a hash does nothing
     * here.
     *
     * @param credentials whose account is not known here
     * @throws AuthUnavailableException as {@link #authenticate} does for wrong credentials
     */
    default void unrecognized(C credentials) {}

    /**
     * The account as this source has it now, so that a session can be refreshed without credentials. The source looks the account up anew: the account may
     * be disabled or have other authorities by now. The chain asks only about logins that this source decided with a {@link Authenticated#stamp() stamp}.
     *
     * @param subjectId the id of a subject that this source authenticated
     * @return empty unless overridden, and where this source has no such account
     * @throws AuthUnavailableException if the account could not be looked up
     */
    default Optional<Account> account(String subjectId) {
        return Optional.empty();
    }
}
