package dev.latchkey.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One source of logins: decides about the credentials it understands, and leaves all others to the next plugin.
 *
 * <p>A plugin implements this interface and no other. An instance is handed to {@link AuthChain} directly, as a bean for instance, or is made by an
 * {@link AuthPluginFactory} that {@link java.util.ServiceLoader} finds. The contract, which {@code dev.latchkey.auth.contract.AuthPluginContract} in the
 * test-jar checks:
 *
 * <ul>
 *   <li>Safe for use by any number of threads at once, platform or virtual.
 *   <li>Abstains from credentials that it does not {@link #supports support}.
 *   <li>Answers with a value. What anybody can send (a wrong password, a damaged token, credentials of another kind) is never an exception.
 *   <li>Does the same work, and takes the same time, for an unknown account as for a wrong password. A plugin that abstains from unknown accounts does
 *       this work in {@link #unrecognized}.
 *   <li>Keeps no reference to the credentials after it has answered, and lets no secret into a message or a log.
 *   <li>After {@link #close()} it authenticates nobody.
 * </ul>
 */
public interface AuthPlugin extends AutoCloseable {

    /**
     * The name that configuration selects this plugin by; constant, and as {@link PluginNames#require} demands.
     *
     * @return the same text at every call
     */
    String name();

    /**
     * Whether this plugin decides about credentials of this kind at all. {@link AuthChain} asks it about no others, so this plugin costs them nothing:
     * no call, none of a bounded number of concurrent calls, and no outage.
     *
     * <p>Answers at once, the same each time, and for any class. A decorator asks the plugin that it decorates.
     *
     * @param kind the class of credentials, as {@link Object#getClass} names it
     * @return {@code true} unless overridden
     */
    default boolean supports(Class<? extends Credentials> kind) {
        return true;
    }

    /**
     * How long a password that this plugin found right may be accepted without asking the plugin again. For this long {@link Authenticated} verdicts
     * about {@link PasswordCredentials} may be cached, and no others. A change of the account is seen that much later. Answers at once, and the same
     * each time.
     *
     * @return empty unless overridden, so that the plugin is asked each time; otherwise positive and at most 15 minutes
     */
    default Optional<Duration> reusableFor() {
        return Optional.empty();
    }

    /**
     * Decides about these credentials.
     *
     * @param credentials of a kind that {@link #supports} was asked for and took
     * @param context of the request that the credentials came with; most plugins need none of it
     * @return {@link Authenticated}, {@link Rejected}, {@link Challenged} where another step is wanted first, or {@link Abstained} where the credentials
     *     are of a kind, or name an account, that this plugin does not know and another one may
     * @throws AuthUnavailableException if no decision could be reached (the store is down, the pool is full): never answer a rejection for that, since
     *     the caller would take it for a wrong password
     */
    Decision authenticate(Credentials credentials, RequestContext context);

    /**
     * Asks for another step of a login whose password was right, whichever plugin decided so. The caller's response comes to this plugin's {@link
     * #authenticate} as a {@link ChallengeResponse}; the plugin then authenticates the subject that it challenged, or rejects. A plugin that does not
     * {@link #supports support} {@link ChallengeResponse} is not asked.
     *
     * @param login what was decided so far
     * @param context of the request that the credentials came with; this plugin may look for a device there that it remembers
     * @return empty unless overridden, and where this subject needs no step of this plugin
     * @throws AuthUnavailableException if that could not be found out: nobody is let in without
     */
    default Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    /**
     * Remembers the device that this login came from, so that this plugin wants no step of its next one. Called if the caller wishes it, once the step
     * that this plugin wanted was passed. The caller keeps the answer and sends it in a header field of the next login, where {@link #secondStep} reads
     * it. It replaces the second step and nothing else: no password, and no token.
     *
     * @param login as the chain decided it, with both steps
     * @param context of the request of that login, by which the device may be named
     * @return empty unless overridden, and where this plugin does not remember devices, or not this account's
     * @throws AuthUnavailableException if that could not be recorded; the login is valid all the same
     */
    default Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    /**
     * Does the work of a wrong password for a name that no plugin knows, by computing a hash for instance, so that the answer takes as long. The chain
     * calls this on each plugin that supports passwords, once all of them have abstained. So a plugin need not reject the names that it does not know,
     * and does no work for the accounts of later plugins. A plugin that decides without a hash does nothing here.
     *
     * @param credentials whose name no plugin knows; their password is to cost what a known account's does
     * @throws AuthUnavailableException as {@link #authenticate} does for a wrong password
     */
    default void unrecognized(PasswordCredentials credentials) {}

    /**
     * Decides whether the subject may do this.
     *
     * @param subject somebody who is logged in, with the authorities that the login gave
     * @param permission what is to be done, and with what
     * @return {@link Access#ABSTAINED} unless overridden: this plugin does not authorise
     * @throws AuthUnavailableException if no decision could be reached
     */
    default Access authorize(Subject subject, Permission permission) {
        return Access.ABSTAINED;
    }

    /**
     * Revokes these credentials: a logout.
     *
     * <p>Only credentials that {@link #authenticate} would accept may be revoked; otherwise a token with a wrong signature could log anybody out.
     *
     * @param credentials which may be anything that somebody sent; they are proved here first
     * @return whether this plugin knew them and they are revoked; {@code false} unless overridden
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    default boolean revoke(Credentials credentials) {
        return false;
    }

    /**
     * Revokes everything that was issued to this subject before {@code notBefore}. Called after a change of password, and when an account was disabled
     * or deleted.
     *
     * @param subjectId the id by which this plugin issues such credentials
     * @param notBefore what was issued at this time or later stays good
     * @return whether this plugin issues such credentials and they are revoked; {@code false} unless overridden
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    default boolean revokeAll(String subjectId, Instant notBefore) {
        return false;
    }

    /**
     * The account of this subject as it is now, so that a login can be prolonged without its credentials: The plugin looks it up anew, since it may have
     * been disabled or given other authorities. Asked only about logins that this plugin decided itself with a {@link Authenticated#stamp() stamp}.
     *
     * @param subjectId the id of a subject that this plugin authenticated
     * @return empty unless overridden, and where this plugin has no such account
     * @throws AuthUnavailableException if the account could not be looked up
     */
    default Optional<Account> account(String subjectId) {
        return Optional.empty();
    }

    /**
     * Reads credentials of this plugin's own kind from a request, such as an API key in a header field of its own. Reading is not checking: the
     * credentials then go through the whole chain. Where the field is malformed or occurs twice, return credentials that will be rejected: a request
     * with a damaged key must not count as one without a key.
     *
     * @param context the request, of which plugins see header fields and the address
     * @return empty unless overridden, and where the request has no such credentials
     */
    default Optional<Credentials> read(RequestContext context) {
        return Optional.empty();
    }

    /**
     * Reads credentials of this plugin's own kind from a request for a token whose grant type is this plugin's own. They go through the whole chain, and
     * the token is issued, recorded and prolonged like that of any other login.
     *
     * @param grant the type and the fields of the request for a token
     * @param context the request that the grant came with
     * @return empty unless overridden, and where the grant type is not this plugin's
     */
    default Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return Optional.empty();
    }

    /**
     * The challenge that asks for credentials of this plugin's own kind in a {@code WWW-Authenticate} field (RFC 9110 section 11.6.1), such as {@code
     * ApiKey realm="orders"}. Constant. The challenge for bearer tokens is sent without it, if this plugin supports them.
     *
     * @return empty unless overridden; anything but visible ASCII is left out
     */
    default Optional<String> challenge() {
        return Optional.empty();
    }

    /** Releases what the plugin holds; closing twice is the same as once. Does nothing unless overridden. */
    @Override
    default void close() {}
}
