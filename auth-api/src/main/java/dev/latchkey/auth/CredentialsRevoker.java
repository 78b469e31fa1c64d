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
}
