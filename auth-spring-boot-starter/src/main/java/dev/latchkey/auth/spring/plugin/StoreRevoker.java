package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;

/**
 * Records revocations of subjects for the tokens and sessions that no plugin of the chain checks. Without this class, a chain
 * without the plugin of tokens would leave the tokens of a resource server valid. Safe for use by any number of threads.
 */
record StoreRevoker(RevocationStore store) implements CredentialsRevoker {

    @Override
    public String name() {
        return "revocations";
    }

    /** The endpoints record single tokens themselves. */
    @Override
    public boolean revoke(Credentials credentials) {
        return false;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        store.revokeSubject(subjectId, notBefore);
        return true;
    }
}
