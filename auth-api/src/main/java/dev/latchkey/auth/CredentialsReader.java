package dev.latchkey.auth;

import java.util.Optional;

/** A plugin that reads credentials of its own kind from any request, such as an API key in a header field. */
public interface CredentialsReader extends AuthPlugin {

    /**
     * Reads credentials from a request. Reading is not checking: the credentials then pass the whole chain. Where the field is malformed or occurs twice,
     * return credentials that will be rejected: a request with a damaged key must not count as a request without a key.
     *
     * @param context the request; plugins see its header fields and its client IP
     * @return empty where the request has no such credentials
     */
    Optional<Credentials> read(RequestContext context);

    /**
     * The challenge for these credentials in a {@code WWW-Authenticate} field (RFC 9110 section 11.6.1), such as {@code ApiKey realm="orders"}.
     *
     * @return empty unless overridden; the same at every call; text with anything but visible ASCII is left out
     */
    default Optional<String> challenge() {
        return Optional.empty();
    }
}
