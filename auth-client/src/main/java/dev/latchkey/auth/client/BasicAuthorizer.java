package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Sends a name and a password by HTTP Basic (RFC 7617) to fixed origins. There is no retry after a 401, because the
 * password would be the same. Safe for use by any number of threads.
 */
public final class BasicAuthorizer implements Authorizer {

    private static final int UNAUTHORIZED = 401;

    private final Set<Origin> origins;
    private final Authorization authorization;

    private BasicAuthorizer(Set<Origin> origins, Authorization authorization) {
        this.origins = origins;
        this.authorization = authorization;
    }

    /**
     * An authorizer for the origin of this address only.
     *
     * @param address of the service, by HTTPS or on this machine
     * @param username without a colon
     * @param password copied; the caller may wipe the original
     * @return an authorizer without a login endpoint
     * @throws IllegalArgumentException if the name has a colon or a control character, the password has a control
     *     character, or credentials must not be sent to the address
     */
    public static BasicAuthorizer of(URI address, String username, Secret password) {
        return of(address, username, password, ClientSettings.defaults());
    }

    /**
     * An authorizer for the origin of this address and the origins of the settings.
     *
     * @param address of the service, by HTTPS or on this machine unless the settings' transport allows more
     * @param username without a colon
     * @param password copied; the caller may wipe the original
     * @param settings only the origins and the transport are used
     * @return an authorizer without a login endpoint
     * @throws IllegalArgumentException as {@link #of(URI, String, Secret)}
     */
    public static BasicAuthorizer of(URI address, String username, Secret password, ClientSettings settings) {
        return new BasicAuthorizer(settings.originsWith(address), authorizationOf(username, password));
    }

    /** RFC 7617 section 2: no colon in the name, no control characters in the name or the password. */
    private static Authorization authorizationOf(String username, Secret password) {
        if (username.indexOf(':') >= 0 || username.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("A name for HTTP Basic has no colon and no control characters");
        }
        boolean isPlain = password.withText(text -> text.chars().noneMatch(Character::isISOControl));
        if (!isPlain) {
            throw new IllegalArgumentException("A password for HTTP Basic has no control characters");
        }
        byte[] name = username.getBytes(StandardCharsets.UTF_8);
        ByteBuffer pair = ByteBuffer.allocate(name.length + 1 + password.length());
        password.withBytes(bytes -> pair.put(name).put((byte) ':').put(bytes));
        try {
            return Authorization.of(fieldValue(pair.array()));
        } finally {
            Arrays.fill(pair.array(), (byte) 0);
        }
    }

    /** The field's value for a name, a colon and a password. */
    static Secret fieldValue(byte[] pair) {
        return Secret.of("Basic " + Base64.getEncoder().encodeToString(pair));
    }

    @Override
    public boolean isFor(URI address) {
        return Origin.of(address).filter(origins::contains).isPresent();
    }

    @Override
    public boolean isRefusal(int status) {
        return status == UNAUTHORIZED;
    }

    @Override
    public CompletableFuture<Authorization> current() {
        return CompletableFuture.completedFuture(authorization);
    }

    @Override
    public Optional<CompletableFuture<Authorization>> renewalOf(Authorization refused) {
        return Optional.empty();
    }

    @Override
    public void leftRefused(Authorization refused) {
        // There are no other credentials.
    }

    @Override
    public String toString() {
        return "BasicAuthorizer" + origins;
    }
}
