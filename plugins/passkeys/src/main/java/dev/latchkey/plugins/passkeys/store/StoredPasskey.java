package dev.latchkey.plugins.passkeys.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row. Bytes are Base64url, times are whole milliseconds. The row has no secret: the key is public.
 *
 * @param id the credential id, unique in the service
 * @param account the subject's id
 * @param plugin the source of the account's logins, asked for the account's state at a login by this passkey
 * @param handle the user handle in the authenticator
 * @param name the owner's name for the passkey
 * @param key the attested credential data (WebAuthn section 6.5.2), with the public key
 * @param counter the authenticator's last signature counter; 0 without a counter
 * @param isUserVerified whether the authenticator verified its user at the registration
 * @param isBackupEligible whether the authenticator may copy the passkey to other devices
 * @param created the time of the registration
 * @param lastUsed the time of the last use; null for never
 */
public record StoredPasskey(
        String id,
        String account,
        String plugin,
        String handle,
        String name,
        String key,
        long counter,
        boolean isUserVerified,
        boolean isBackupEligible,
        Instant created,
        @Nullable Instant lastUsed) {

    /**
     * The row after a login, as written by {@link PasskeyStore#used}.
     *
     * @param now the counter of the authenticator
     * @param at the time of the login
     * @return another row
     */
    public StoredPasskey used(long now, Instant at) {
        return new StoredPasskey(
                id, account, plugin, handle, name, key, now, isUserVerified, isBackupEligible, created, at);
    }

    @Override
    public String toString() {
        return "StoredPasskey[" + id + "]";
    }
}
