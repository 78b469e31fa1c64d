package dev.latchkey.plugins.passkeys.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row. Bytes are Base64url, times are whole milliseconds. Nothing in it is secret: the key is public.
 *
 * @param id the credential id, unique in the service
 * @param account the subject's id
 * @param plugin the source of the account's logins, asked for the account's state at a login by this passkey
 * @param handle the user handle that the authenticator keeps
 * @param name that its owner gave it
 * @param key the attested credential data (WebAuthn section 6.5.2), with the public key
 * @param counter the authenticator's last signature counter; 0 where it does not count
 * @param isUserVerified whether the authenticator verified its user at the registration
 * @param isBackupEligible whether the authenticator may copy the passkey to other devices
 * @param created when it was registered
 * @param lastUsed when it was last used; null for never
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
     * After a login, as {@link PasskeyStore#used} writes it.
     *
     * @param now the counter that the authenticator sent
     * @param at when
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
