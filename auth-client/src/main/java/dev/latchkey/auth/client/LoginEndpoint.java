package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.wire.FormBody;
import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address and the credentials for a login. Credentials go into the body or the header of a {@code POST}, never into
 * the address. Safe for use by any number of threads.
 */
public final class LoginEndpoint {

    private final URI address;
    private final LoginShape shape;
    private final Map<String, Secret> fields;

    @Nullable
    private final Secret basic;

    @Nullable
    private final URI refresh;

    private LoginEndpoint(
            URI address, LoginShape shape, Map<String, Secret> fields, @Nullable Secret basic, @Nullable URI refresh) {
        this.address = requirePlain(address);
        this.shape = shape;
        this.fields = fields;
        this.basic = basic;
        this.refresh = refresh == null ? null : requirePlain(refresh);
    }

    /**
     * The token endpoint of a service with Latchkey: {@code https://…/auth/token}. Refresh tokens, if the service
     * issues them, go to the same address.
     *
     * @param address of the token endpoint; plain HTTP only on this machine
     * @param username of the account at the service
     * @param password kept, so do not wipe the password while the endpoint is in use
     * @return an endpoint with refresh tokens
     * @throws IllegalArgumentException if the address holds more than scheme, host, port, path and query
     */
    public static LoginEndpoint ofLatchkey(URI address, String username, Secret password) {
        return new LoginEndpoint(address, LoginShape.OAUTH, account(username, password), null, address);
    }

    /**
     * The login endpoint of a Nacos server, {@code https://…/nacos/v3/auth/user/login}, or of a compatible service.
     *
     * @param address of the login; plain HTTP only on this machine
     * @param username of the account at the server
     * @param password kept, so do not wipe the password while the endpoint is in use
     * @return an endpoint without refresh tokens
     * @throws IllegalArgumentException as {@link #ofLatchkey}
     */
    public static LoginEndpoint ofNacos(URI address, String username, Secret password) {
        return new LoginEndpoint(address, LoginShape.NACOS, account(username, password), null, null);
    }

    /**
     * The token endpoint of an OAuth 2 server, for a client's own credentials (RFC 6749 section 4.4), sent by
     * {@code client_secret_basic} (section 2.3.1).
     *
     * @param address of the token endpoint
     * @param clientId as registered at the server
     * @param clientSecret copied; the caller may wipe the original
     * @return an endpoint without a scope
     * @throws IllegalArgumentException as {@link #ofLatchkey}
     */
    public static LoginEndpoint ofClientCredentials(URI address, String clientId, Secret clientSecret) {
        return new LoginEndpoint(
                address,
                LoginShape.OAUTH,
                Map.of("grant_type", Secret.of("client_credentials")),
                basicOf(Secret.of(clientId), clientSecret),
                null);
    }

    /**
     * Returns a copy for tokens with this scope: names with spaces between them (RFC 6749 section 3.3).
     *
     * @param scope sent unchanged
     * @return a changed copy
     */
    public LoginEndpoint withScope(String scope) {
        Map<String, Secret> more = new LinkedHashMap<>(fields);
        more.put("scope", Secret.of(scope));
        return new LoginEndpoint(address, shape, more, basic, refresh);
    }

    /**
     * Returns a copy that sends refresh tokens to an address of the same origin.
     *
     * @param there a token endpoint (RFC 6749 section 6)
     * @return a changed copy
     * @throws IllegalArgumentException if the address has another origin, or as {@link #ofLatchkey}
     */
    public LoginEndpoint withRefresh(URI there) {
        if (!Origin.of(there).equals(Origin.of(address))) {
            throw new IllegalArgumentException("Refresh tokens go to the origin of the login, " + this);
        }
        return new LoginEndpoint(address, shape, fields, basic, there);
    }

    private static Map<String, Secret> account(String username, Secret password) {
        Map<String, Secret> fields = new LinkedHashMap<>();
        fields.put("username", Secret.of(username));
        fields.put("password", Objects.requireNonNull(password, "password"));
        return fields;
    }

    /** Both parts are form-encoded before joining, so that a colon in the id is encoded (RFC 6749 section 2.3.1). */
    private static Secret basicOf(Secret id, Secret secret) {
        ByteBuffer pair = ByteBuffer.allocate(FormBody.roomFor(id) + 1 + FormBody.roomFor(secret));
        FormBody.encode(id, pair);
        pair.put((byte) ':');
        FormBody.encode(secret, pair);
        byte[] exact = Arrays.copyOf(pair.array(), pair.position());
        Arrays.fill(pair.array(), (byte) 0);
        try {
            return BasicAuthorizer.fieldValue(exact);
        } finally {
            Arrays.fill(exact, (byte) 0);
        }
    }

    private static URI requirePlain(URI address) {
        if (address.getRawUserInfo() != null || address.getRawFragment() != null) {
            throw new IllegalArgumentException("A login endpoint's address has no user and no fragment");
        }
        return address;
    }

    URI address() {
        return address;
    }

    LoginShape shape() {
        return shape;
    }

    Map<String, Secret> fields() {
        return fields;
    }

    /** The value of the header field, if the credentials are sent in the header. */
    Optional<Secret> basic() {
        return Optional.ofNullable(basic);
    }

    /** The address for refresh tokens; empty if refresh tokens are not used. */
    Optional<URI> refresh() {
        return Optional.ofNullable(refresh);
    }

    /** Prints the address without the query, which may contain secrets. */
    @Override
    public String toString() {
        return textOf(address);
    }

    /** The address without the query. */
    static String textOf(URI address) {
        return Origin.of(address).map(Origin::toString).orElse("") + address.getRawPath();
    }
}
