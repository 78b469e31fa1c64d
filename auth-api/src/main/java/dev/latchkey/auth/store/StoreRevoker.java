package dev.latchkey.auth.store;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import java.util.Objects;

/**
 * Records revocations of subjects for tokens and sessions that no plugin of a chain checks, see {@link AuthChain#withRevoker}.
 * Without a revoker with a store, a chain without the plugin of tokens would leave the tokens of a resource server valid. Safe for
 * use by any number of threads.
 *
 * @param store of the revocations
 */
public record StoreRevoker(RevocationStore store) implements CredentialsRevoker {

    /**
     * A revoker of this store.
     *
     * @param store of the revocations
     */
    public StoreRevoker {
        Objects.requireNonNull(store, "store");
    }

    @Override
    public String name() {
        return "revocations";
    }

    /** {@return false: a caller records single tokens in the store} */
    @Override
    public boolean revoke(Credentials credentials) {
        return false;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        store.revokeSubject(subjectId, notBefore);
        return true;
    }

    @Override
    public boolean isRevoked(String subjectId, Instant provedAt) {
        return store.isSubjectRevoked(subjectId, provedAt);
    }
}
