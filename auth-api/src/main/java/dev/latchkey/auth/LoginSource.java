package dev.latchkey.auth;

import java.time.Duration;
import java.util.Optional;

/**
 * A plugin for decisions about credentials of one kind. The plugin knows the account of the credentials.
 *
 * <p>An account belongs to its source. Two sources may each have an account {@code alice}. The chain keeps the two
 * accounts apart, unless the service's configuration says that both sources mean the same people.
 *
 * <p>An account has one id. If a source finds an account by several names, in upper case for example, all its answers have the
 * stored name, and none has the typed name: codes, passkeys, API keys and revocations belong to the exact id.
 *
 * @param <C> the kind of credentials for this source
 */
public interface LoginSource<C extends Credentials> extends AuthPlugin {

    /**
     * The kind of credentials for this source. The chain shows this source no other kind.
     *
     * @return the same class at every call
     */
    Class<C> kind();

    /**
     * Decides about these credentials.
     *
     * <p>A wrong password and an unknown account take the same work and the same time. If a source abstains from
     * unknown accounts, the source does this work in {@link #unrecognized}.
     *
     * @param credentials from the request, unchecked
     * @param context of the request with the credentials; most sources do not need the context
     * @return {@link Authenticated}, {@link Rejected}, {@link Challenged} if this source itself wants another step
     *     first, or {@link Decision#abstained()} if the account is unknown here and another source may know the account
     * @throws AuthUnavailableException if the source could not decide, because its store is down for example. A
     *     rejection would report a wrong password to the caller
     */
    Decision authenticate(C credentials, RequestContext context);

    /**
     * For this time, the chain may accept a right password without another call of this source. The chain caches
     * {@link Authenticated} decisions about {@link PasswordCredentials} and nothing else. A change of the account takes
     * effect after this time at the latest.
     *
     * @return empty unless overridden, so the chain calls the source each time; otherwise positive and at most 15
     *     minutes; the same at every call
     */
    default Optional<Duration> reusableFor() {
        return Optional.empty();
    }

    /**
     * Does the work of wrong credentials, a password hash for example, so the time of a rejection does not depend on
     * the account. The chain calls this method for passwords only: if no source knows the account, or if another source
     * rejected the password. A source without hashes does nothing here.
     *
     * @param credentials with an account unknown to this source
     * @throws AuthUnavailableException like {@link #authenticate} for wrong credentials
     */
    default void unrecognized(C credentials) {}

    /**
     * The present state of the account in this source, without credentials: for the refresh of a session, for example.
     * The source reads the account anew: the account may be disabled or have other authorities by now. A session is
     * refreshed only if its login had a {@link Authenticated#stamp() stamp}.
     *
     * @param subjectId the id of a subject, possibly unknown to this source: the chain also asks with other spellings of
     *     an id
     * @return {@link Authenticated} with the stored name as the id, the present authorities and the stamp if the account may log in
     *     now, otherwise {@link Rejected}; never {@link Challenged}. Empty unless overridden, and if this source has no such account
     * @throws AuthUnavailableException if the account could not be looked up
     */
    default Optional<Verdict> account(String subjectId) {
        return Optional.empty();
    }

    /**
     * Declares that the id in each answer is the stored name, for a source without {@link #account}. The chain cannot check the
     * names of such a source. Without the declaration, its accounts get no codes and no passkeys by themselves.
     *
     * @return {@code false} unless overridden; the same at every call
     */
    default boolean hasStoredNames() {
        return false;
    }
}
