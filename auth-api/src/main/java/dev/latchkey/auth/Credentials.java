package dev.latchkey.auth;

import java.util.Optional;

/**
 * What a caller presents to prove who it is.
 *
 * <p>Open: for another kind (an API key, a client certificate) implement this, and a plugin that understands it.
 * Implementations are immutable, hold what is secret in a {@link Secret}, and print none of it.
 */
public interface Credentials {

    /**
     * The account that these credentials claim, which is not proved; for limits and audit.
     *
     * @return empty where the credentials themselves name none, like an API key
     */
    default Optional<String> account() {
        return Optional.empty();
    }
}
