package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A registered client of the token endpoint, under {@code latchkey.login.clients.<id>}.
 *
 * @param secret the client's secret, made by chance, with at least 22 characters: 128 random bits in Base64
 * @param grants the grant types of this client; all where nothing is set
 */
public record ClientProperties(Secret secret, @DefaultValue Set<String> grants) {

    /** The least number of characters in a client's secret. */
    public static final int LEAST_CHARS = 22;

    /**
     * Refuses a short secret. Clients are compared with a fast digest, so a guessable secret would be found.
     *
     * @param secret required
     * @param grants empty for all
     * @throws LatchkeyConfigurationException if there is no secret, or the secret is short
     */
    public ClientProperties {
        int chars = secret == null ? 0 : secret.<Integer>withText(CharSequence::length);
        if (chars < LEAST_CHARS) {
            throw new LatchkeyConfigurationException(
                    "A client under latchkey.login.clients has a secret of " + chars + " characters, and needs "
                            + LEAST_CHARS,
                    "Set latchkey.login.clients.<id>.secret to the output of: openssl rand -base64 32");
        }
    }
}
