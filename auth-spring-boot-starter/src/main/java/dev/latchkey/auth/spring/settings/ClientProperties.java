package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A registered client of the token endpoint, under {@code latchkey.login.clients.<id>}.
 *
 * @param secret the client's secret, made by chance, with at least 22 characters: 128 random bits in Base64, or file: and the path
 *     of a file with the secret
 * @param grants the grant types of this client; all if nothing is set
 */
public record ClientProperties(Secret secret, @Nullable Set<String> grants) {

    private static final String PROPERTY = "latchkey.login.clients.<id>.secret";

    private static final String HOW_TO_MAKE_ONE = "Set " + PROPERTY
            + " to the output of: openssl rand -base64 32, or to file: and the path of a file with it";

    /** The least number of characters in a client's secret. */
    public static final int LEAST_CHARS = 22;

    /**
     * Reads the file of a secret, and refuses a short secret and an empty list of grants. Clients are compared with a fast digest, so a guessable secret would be found.
     *
     * @param secret required
     * @param grants null for all
     * @throws LatchkeyConfigurationException if there is no secret, the secret is short, its file cannot be read, or the list of
     *     grants is empty
     */
    public ClientProperties {
        if (secret != null) {
            secret = SecretText.read(PROPERTY, secret, HOW_TO_MAKE_ONE);
        }
        int chars = secret == null ? 0 : secret.<Integer>withText(CharSequence::length);
        if (chars < LEAST_CHARS) {
            throw new LatchkeyConfigurationException(
                    "A client under latchkey.login.clients has a secret of " + chars + " characters, and needs "
                            + LEAST_CHARS,
                    HOW_TO_MAKE_ONE);
        }
        if (grants != null && grants.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "A client under latchkey.login.clients has an empty list of grants",
                    "Name the grant types of the client, such as refresh_token. Without the property, the client may use all.");
        }
    }

    /**
     * The grant types of this client.
     *
     * @return empty for all
     */
    @Override
    public Set<String> grants() {
        return grants == null ? Set.of() : grants;
    }
}
