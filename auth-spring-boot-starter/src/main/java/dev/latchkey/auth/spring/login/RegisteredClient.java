package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.settings.ClientProperties;
import java.util.Objects;
import java.util.Set;

/**
 * A client of the token endpoint as a bean, beside the clients under {@code latchkey.login.clients}. For a service that keeps its
 * clients in a vault or a database. Read once, at the start of the service. Immutable.
 */
public final class RegisteredClient {

    private final String id;
    private final Secret secret;
    private final Set<String> grants;

    private RegisteredClient(String id, Secret secret, Set<String> grants) {
        this.id = id;
        this.secret = secret;
        this.grants = grants;
    }

    /**
     * A client for all grant types.
     *
     * @param id the {@code client_id}: printable ASCII, also with spaces (RFC 6749 appendix A.1)
     * @param secret random, with at least {@link ClientProperties#LEAST_CHARS} characters, as from {@code openssl rand -base64
     *     32}
     * @return a bean for the context
     * @throws IllegalArgumentException if the id is empty or not printable ASCII, or the secret is short
     */
    public static RegisteredClient of(String id, Secret secret) {
        if (!id.matches("[ -~]+")) {
            throw new IllegalArgumentException("The id of a client needs printable ASCII characters");
        }
        int chars = secret.<Integer>withText(CharSequence::length);
        if (chars < ClientProperties.LEAST_CHARS) {
            throw new IllegalArgumentException(
                    "The client has a secret of " + chars + " characters, and needs " + ClientProperties.LEAST_CHARS);
        }
        return new RegisteredClient(id, secret, Set.of());
    }

    /**
     * The same client for these grant types alone. Other grants get {@code unauthorized_client}.
     *
     * @param grants such as {@code refresh_token}
     * @return a new object
     * @throws IllegalArgumentException if there is no grant type: the client could use no grant
     */
    public RegisteredClient withGrants(Set<String> grants) {
        if (Objects.requireNonNull(grants, "grants").isEmpty()) {
            throw new IllegalArgumentException("A client needs a grant type");
        }
        return new RegisteredClient(id, secret, Set.copyOf(grants));
    }

    /**
     * The {@code client_id}.
     *
     * @return printable ASCII
     */
    public String id() {
        return id;
    }

    /**
     * The secret.
     *
     * @return never printed
     */
    public Secret secret() {
        return secret;
    }

    /**
     * The grant types of this client.
     *
     * @return empty for all
     */
    public Set<String> grants() {
        return grants;
    }

    @Override
    public String toString() {
        return "RegisteredClient[" + id + "]";
    }
}
