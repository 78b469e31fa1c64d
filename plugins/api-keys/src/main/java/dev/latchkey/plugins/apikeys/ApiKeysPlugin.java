package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Authenticates requests by API keys, in a header field of their own or as a bearer token that begins with the prefix of keys. Other bearer tokens are
 * left to whoever knows them. Never from the URL.
 *
 * <p>A key proves its owner with the authorities of its scopes, and with the claim {@link ApiKeys#CLAIM}. A logout with a key revokes it. Safe for use by
 * any number of threads.
 */
public final class ApiKeysPlugin implements LoginSource<ApiKeyCredentials>, CredentialsReader, CredentialsRevoker {

    /** Its name. */
    public static final String NAME = "api-keys";

    /** The field where none is chosen. */
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
     * @param keys what the plugin checks by
     * @return a plugin for a chain; several may check by the same keys
     */
    public static ApiKeysPlugin of(ApiKeys keys) {
        return new ApiKeysPlugin(Objects.requireNonNull(keys, "keys"), HEADER);
    }

    /**
     * The same, with another field.
     *
     * @param header in any case
     * @return another plugin; this one stays as it is
     * @throws IllegalArgumentException if that is no name of a header field, or one that means something else
     */
    public ApiKeysPlugin withHeader(String header) {
        if (!TOKEN.matcher(header).matches() || TAKEN.contains(header.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("The field of keys is the name of a header field, and none of " + TAKEN);
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

    /** @throws AuthUnavailableException if the key, or the state of its owner's account, cannot be read */
    @Override
    public Decision authenticate(ApiKeyCredentials shown, RequestContext context) {
        if (isClosed) {
            throw AuthUnavailableException.outage("The plugin " + NAME + " is closed");
        }
        return keys.check(shown.key());
    }

    /** What the field of keys holds, or else a bearer token that begins as a key does. */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> own = context.headers().values(header);
        if (!own.isEmpty()) {
            return Optional.of(shown(String.join(",", own)));
        }
        List<String> fields = context.headers().values(AUTHORIZATION);
        if (fields.size() != 1 || !fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        String token = fields.get(0).substring(BEARER.length());
        return keys.format().begins(token) ? Optional.of(shown(token)) : Optional.empty();
    }

    /**
     * What is no key is shown as one all the same, two fields too: a request with a damaged key is not one without. Keys have neither commas nor question marks,
     * which stand here for what is no ASCII.
     */
    private static Credentials shown(String text) {
        return new ApiKeyCredentials(Secret.of(text.getBytes(StandardCharsets.US_ASCII)));
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

    /** Revokes the account's keys that were issued until then. */
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
