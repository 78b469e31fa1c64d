package dev.latchkey.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One source of logins: decides about the credentials it understands, and leaves all others to the next plugin.
 *
 * <p>The one interface to implement. An instance is handed to {@link AuthChain} directly (as a bean, say), or is made by an
 * {@link AuthPluginFactory} that {@link java.util.ServiceLoader} finds. The contract, which
 * {@code dev.latchkey.auth.contract.AuthPluginContract} in the test-jar checks:
 *
 * <ul>
 *   <li>Safe for use by any number of threads at once, platform or virtual.
 *   <li>Leaves alone what it does not {@link #supports support}, whoever shows it.
 *   <li>Answers with a value. What anybody can send (a wrong password, a damaged token, credentials of another kind)
 *       is never an exception.
 *   <li>Does the same work for an unknown account as for a wrong password, and takes the same time; where it abstains, in
 *       {@link #unrecognized}.
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
     * Whether this plugin decides about credentials of this kind at all. {@link AuthChain} does not show it the others, so that it costs
     * them nothing to have this plugin before theirs: no call, no place among those that may run at the same time, and no outage.
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
     * For how long a password that this plugin found right may be taken for right without asking it again: whoever runs the plugin may
     * keep {@link Authenticated} verdicts about {@link PasswordCredentials} for so long, and no others. It delays what becomes of the account
     * meanwhile. Answers at once, and the same each time.
     *
     * @return empty unless overridden: each time is asked; otherwise positive, and at most 15 minutes
     */
    default Optional<Duration> reusableFor() {
        return Optional.empty();
    }

    /**
     * Decides about these credentials.
     *
     * @param credentials of a kind that {@link #supports} was asked for and took
     * @param context of the request that they came with; a plugin to which only the credentials matter does not look at it
     * @return {@link Authenticated}, {@link Rejected}, {@link Challenged} where another step is wanted first, or {@link Abstained} where
     *     the credentials are of a kind, or name an account, that this plugin does not know and another one may
     * @throws AuthUnavailableException if no decision could be reached (the store is down, the pool is full): never
     *     answer a rejection for that, since the caller would take it for a wrong password
     */
    Decision authenticate(Credentials credentials, RequestContext context);

    /**
     * Asks for another step of a login whose password was right, whichever plugin decided that. What the caller shows comes to this
     * plugin's {@link #authenticate} as {@link ChallengeResponse}; it answers there with the subject that was challenged, or rejects. A plugin
     * that does not {@link #supports support} those is not asked.
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
     * Remembers the device that this login came from, so that this plugin wants no step of its next one. Asked where the caller wishes it, once
     * the step that this plugin wanted is passed. What it answers goes to the caller, who shows it at the next login in a header field;
     * {@link #secondStep} reads it there. It stands for the step alone, and for nothing that a password or a token does.
     *
     * @param login as the chain decided it, with both steps
     * @param context of the request of that login, by which the device may be named
     * @return empty unless overridden, and where this plugin does not remember devices, or not this account's
     * @throws AuthUnavailableException if that could not be recorded: the login is good all the same
     */
    default Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    /**
     * Takes what a wrong password takes, for a name that nobody knows: a hash, say, so that the answer comes no sooner. The chain asks each plugin
     * that supports passwords at its end, where all of them abstained. So an account of a later plugin costs nothing
     * here, and a plugin need not reject names that it does not know. What decides without a hash has nothing to do.
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
     * Makes these credentials worthless from now on: a logout.
     *
     * <p>Only credentials that {@link #authenticate} would accept: if a wrong signature could revoke, anybody could log
     * everybody out.
     *
     * @param credentials which may be anything that somebody sent; they are proved here first
     * @return whether this plugin knew them and they are revoked; {@code false} unless overridden
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    default boolean revoke(Credentials credentials) {
        return false;
    }

    /**
     * Makes all that was issued to this subject before {@code notBefore} worthless: after a change of password, a
     * disabled or a deleted account.
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
     * The account of this subject as it is now, so that a login can be prolonged without its credentials: looked up afresh, since it
     * may have been disabled or given other authorities meanwhile. Asked about logins that this plugin itself decided, with an
     * {@link Authenticated#stamp() Authenticated} that has a stamp, and about no others.
     *
     * @param subjectId the id of a subject that this plugin authenticated
     * @return empty unless overridden, and where this plugin has no such account
     * @throws AuthUnavailableException if the account could not be looked up
     */
    default Optional<Account> account(String subjectId) {
        return Optional.empty();
    }

    /**
     * Reads credentials of this plugin's own kind from a request, where they do not arrive as Basic or Bearer: an API
     * key in a header field of its own, say. To read is not to check: what is returned goes through the whole chain. Where the field is there and cannot be read,
     * or stands twice, return credentials that are refused: a request with a damaged key is not one without.
     *
     * @param context the request, of which plugins see header fields and the address
     * @return empty unless overridden, and where the request has no such credentials
     */
    default Optional<Credentials> read(RequestContext context) {
        return Optional.empty();
    }

    /**
     * Reads credentials of this plugin's own kind from a request for a token, where it names a grant of this plugin's own. They go through
     * the whole chain, and the token is made, kept and prolonged as that of any other login.
     *
     * @param grant the type and the fields of the request for a token
     * @param context the request that the grant came with
     * @return empty unless overridden, and where the grant is another one's
     */
    default Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return Optional.empty();
    }

    /**
     * How to ask for credentials of this plugin's own kind, as a {@code WWW-Authenticate} field does (RFC 9110 section 11.6.1):
     * {@code ApiKey realm="orders"}. Constant; bearer tokens are asked for without it, where this plugin supports them.
     *
     * @return empty unless overridden; visible ASCII, or it is left out
     */
    default Optional<String> challenge() {
        return Optional.empty();
    }

    /** Releases what the plugin holds; closing twice is the same as once. Does nothing unless overridden. */
    @Override
    default void close() {}
}
