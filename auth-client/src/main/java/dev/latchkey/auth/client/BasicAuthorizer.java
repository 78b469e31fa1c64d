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
 * Shows a name and a password by HTTP Basic (RFC 7617), to the origins that it was made for. A 401 is never sent again, since the password would be the same. Safe for use by any number
 * of threads.
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
     * For requests to the origin of this address alone.
     *
     * @param address of the service, by HTTPS or on this machine
     * @param username without a colon
     * @param password copied; who calls may wipe it
     * @return an authorizer that asks nobody for a token
     * @throws IllegalArgumentException if the name has a colon or a control character, the password a control character, or the address is not
     *     one for credentials
     */
    public static BasicAuthorizer of(URI address, String username, Secret password) {
        return of(address, username, password, ClientSettings.defaults());
    }

    /**
     * For requests to the origin of this address and to those of the settings, of which the transport counts too.
     *
     * @param address of the service, by HTTPS or on this machine unless the settings' transport says otherwise
     * @param username without a colon
     * @param password copied; who calls may wipe it
     * @param settings of which the origins and the transport count
     * @return an authorizer that asks nobody for a token
     * @throws IllegalArgumentException as {@link #of(URI, String, Secret)}
     */
    public static BasicAuthorizer of(URI address, String username, Secret password, ClientSettings settings) {
        return new BasicAuthorizer(settings.originsWith(address), authorizationOf(username, password));
    }

    /** RFC 7617 section 2: the name has no colon, and neither has control characters. */
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
        // There is nothing else to show.
    }

    @Override
    public String toString() {
        return "BasicAuthorizer" + origins;
    }
}
