package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Authenticates requests by API keys. A key is in its own header field, or is a bearer token with the prefix of keys.
 * Other bearer tokens are left to other plugins. Keys in URLs are never read.
 *
 * <p>A key proves its owner, with the authorities of its scopes and with the claim {@link Subject#KEY_CLAIM}. A logout with
 * a key revokes the key. Safe for use by any number of threads.
 */
public final class ApiKeysPlugin implements LoginSource<ApiKeyCredentials>, CredentialsReader, CredentialsRevoker {

    /** The plugin's name. */
    public static final String NAME = "api-keys";

    /** The default header field. */
    public static final String HEADER = "X-API-Key";

    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "Bearer ";

    /** RFC 9110 section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}");

    private static final Set<String> TAKEN = Set.of("authorization", "proxy-authorization", "cookie");

    private final ApiKeys keys;
    private final String header;
    private volatile boolean isClosed;

    private ApiKeysPlugin(ApiKeys keys, String header) {
        this.keys = keys;
        this.header = header;
    }

    /**
     * A plugin for these keys, in the field {@value #HEADER}.
     *
     * @param keys check the keys of requests
     * @return a plugin for a chain; several plugins may share the keys
     */
    public static ApiKeysPlugin of(ApiKeys keys) {
        return new ApiKeysPlugin(Objects.requireNonNull(keys, "keys"), HEADER);
    }

    /**
     * A copy with another header field.
     *
     * @param header name of the field, in upper or lower case
     * @return another plugin
     * @throws IllegalArgumentException if the text is no name of a header field, or the field has another meaning
     */
    public ApiKeysPlugin withHeader(String header) {
        if (!TOKEN.matcher(header).matches() || TAKEN.contains(header.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "The header for keys must be the name of a header field, and none of " + TAKEN);
        }
        return new ApiKeysPlugin(keys, header);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<ApiKeyCredentials> kind() {
        return ApiKeyCredentials.class;
    }

    /** @throws AuthUnavailableException if the key or its owner's account cannot be read */
    @Override
    public Decision authenticate(ApiKeyCredentials shown, RequestContext context) {
        if (isClosed) {
            throw AuthUnavailableException.outage("The plugin " + NAME + " is closed");
        }
        return keys.check(shown.key());
    }

    /** The value of the keys' header field, or else a bearer token with the prefix of keys. */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> own = context.header(header);
        if (!own.isEmpty()) {
            return Optional.of(shown(String.join(",", own)));
        }
        List<String> fields = context.header(AUTHORIZATION);
        if (fields.size() != 1 || !fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        String token = fields.get(0).substring(BEARER.length());
        return keys.format().begins(token) ? Optional.of(shown(token)) : Optional.empty();
    }

    /**
     * A malformed key, and a repeated field, also become credentials: a request with a damaged key must not count as a
     * request without a key. A comma joins repeated fields, and a question mark replaces a character outside ASCII. Keys
     * contain neither, so such credentials never match.
     */
    private static Credentials shown(String text) {
        return new ApiKeyCredentials(Secret.of(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** A page of another origin cannot set either field. */
    @Override
    public boolean needsNoCsrfToken() {
        return true;
    }

    @Override
    public Optional<String> challenge() {
        return Optional.of("ApiKey header=\"" + header + "\"");
    }

    /** Revokes this key. */
    @Override
    public boolean revoke(Credentials credentials) {
        return credentials instanceof ApiKeyCredentials shown && keys.revokeShown(shown.key());
    }

    /** Revokes the account's keys issued up to this time. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        return keys.revokeAll(subjectId, notBefore) > 0;
    }

    @Override
    public void close() {
        isClosed = true;
        keys.close();
    }
}
