package dev.latchkey.auth;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Proof of identity from a caller.
 *
 * <p>To support another kind of credentials, such as an API key or a client certificate, implement this interface and a
 * plugin for the new kind. Implementations are immutable, hold secrets in a {@link Secret}, and print no secret.
 */
public interface Credentials {

    /**
     * The unverified account name in these credentials, for limits and audit.
     *
     * @return empty if the credentials contain no account name, as with an API key
     */
    default Optional<String> account() {
        return Optional.empty();
    }

    /**
     * The secrets of these credentials. The log of an outage omits each message that contains one of these secrets.
     *
     * @return empty if the secrets are unknown: the log then has no message, only the classes of exceptions
     */
    default Collection<Secret> secrets() {
        return List.of();
    }
}
