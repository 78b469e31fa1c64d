package dev.latchkey.auth;

import java.time.Instant;

/** A plugin that can revoke credentials before they expire: tokens, API keys, remembered devices. */
public interface CredentialsRevoker extends AuthPlugin {

    /**
     * Revokes these credentials, for example at a logout. Only valid credentials may be revoked. Otherwise a token with
     * a wrong signature could end any session.
     *
     * @param credentials of any kind, unchecked; the plugin checks them first
     * @return whether the plugin knew and revoked the credentials
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revoke(Credentials credentials);

    /**
     * Revokes all credentials issued to this subject before {@code notBefore}, for example after a change of the
     * password.
     *
     * @param subjectId the subject of the credentials
     * @param notBefore credentials issued at this instant or later stay valid
     * @return whether this plugin issues such credentials and has revoked them
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revokeAll(String subjectId, Instant notBefore);

    /**
     * Whether all credentials of this subject were revoked at this time or later. The service calls this method before
     * a new API key, code or passkey becomes valid. A revocation may come between the proof of the owner and the new
     * credentials.
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
