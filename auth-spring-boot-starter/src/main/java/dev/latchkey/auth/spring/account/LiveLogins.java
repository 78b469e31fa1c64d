package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Instant;
import java.util.List;

/**
 * The sessions of an account that can still be refreshed. A revocation of the subject invalidates earlier sessions and leaves
 * their rows in the store. Such a row takes no place.
 */
final class LiveLogins {

    private final LoginStore store;
    private final RevocationStore revocations;

    LiveLogins(LoginStore store, RevocationStore revocations) {
        this.store = store;
        this.revocations = revocations;
    }

    /** The newest first. */
    List<StoredLogin> of(String subjectId) {
        List<StoredLogin> kept = store.ofOwner(subjectId);
        if (kept.isEmpty()) {
            return kept;
        }
        Instant notBefore = revocations.notBefore(subjectId);
        return kept.stream()
                .filter(login -> !login.startedAt().isBefore(notBefore))
                .toList();
    }
}
