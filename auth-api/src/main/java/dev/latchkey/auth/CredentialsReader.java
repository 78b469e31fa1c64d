package dev.latchkey.auth;

import java.util.Optional;

/** A plugin that reads credentials of its own kind from any request, such as an API key in a header field. */
public interface CredentialsReader extends AuthPlugin {

    /**
     * Reads credentials from a request, without a check: the credentials then pass the whole chain. If the field is
     * malformed or occurs twice, return credentials that this plugin's source rejects. Otherwise a request with a damaged
     * key would count as a request without a key.
     *
     * @param context the request; plugins see its header fields and its client IP
     * @return empty if the request has no such credentials
     */
    Optional<Credentials> read(RequestContext context);

    /**
     * Whether a request with these credentials needs no CSRF token. Override this method only if a page of another origin cannot
     * cause such a request: no browser and no proxy adds the credentials by itself.
     *
     * @return {@code false} unless overridden; the same at every call
     */
    default boolean needsNoCsrfToken() {
        return false;
    }

    /**
     * The challenge for these credentials in a {@code WWW-Authenticate} field (RFC 9110 section 11.6.1), such as
     * {@code ApiKey realm="orders"}.
     *
     * @return empty unless overridden; the same at every call. Only text of visible ASCII and spaces is sent
     */
    default Optional<String> challenge() {
        return Optional.empty();
    }
}
