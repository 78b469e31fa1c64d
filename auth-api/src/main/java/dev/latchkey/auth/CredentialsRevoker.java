package dev.latchkey.auth;

import java.time.Instant;

/** A plugin that can make credentials invalid before they expire: tokens, API keys, remembered devices. */
public interface CredentialsRevoker extends AuthPlugin {

    /**
     * Revokes these credentials: a logout. Only credentials that are valid may be revoked; otherwise a token with a wrong signature could log anybody out.
     *
     * @param credentials of any kind, unchecked; the plugin checks them first
     * @return whether the plugin knew the credentials and revoked them
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revoke(Credentials credentials);

    /**
     * Revokes everything that was issued to this subject before {@code notBefore}, after a change of password for example.
     *
     * @param subjectId the id that the credentials were issued for
     * @param notBefore credentials issued at this time or later stay valid
     * @return whether this plugin issues such credentials and has revoked them
     * @throws AuthUnavailableException if the revocation could not be recorded
     */
    boolean revokeAll(String subjectId, Instant notBefore);
}
