package dev.latchkey.auth;

import java.time.Instant;

/** A plugin that can make credentials invalid before they expire: tokens, API keys, remembered devices. */
public interface CredentialsRevoker extends AuthPlugin {

    /**
     * Revokes these credentials: a logout. Only valid credentials may be revoked; otherwise a token with a wrong
     * signature could end any session.
     *
     * @param credentials of any kind, unchecked; the plugin checks them first
     * @return whether the plugin knew and revoked the credentials
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revoke(Credentials credentials);

    /**
     * Revokes all credentials issued to this subject before {@code notBefore}, after a change of password for example.
     *
     * @param subjectId the subject of the credentials
     * @param notBefore later credentials, and credentials issued at this instant, stay valid
     * @return whether this plugin issues such credentials and has revoked them
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revokeAll(String subjectId, Instant notBefore);

    /**
     * Whether the service revoked all credentials of this subject at this time or later. Asked before a new API key, code or passkey
     * becomes valid, because a revocation may come between the proof of the owner and the new credentials.
     *
     * @param subjectId the subject of the credentials
     * @param provedAt the start of the proof
     * @return {@code false}, unless overridden, for a plugin without a record of such revocations
     * @throws AuthUnavailableException if the record could not be read
     */
    default boolean isRevoked(String subjectId, Instant provedAt) {
        return false;
    }
}
