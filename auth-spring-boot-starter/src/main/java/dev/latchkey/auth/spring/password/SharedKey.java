package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The common key of all nodes, for the digests in a shared store. */
public final class SharedKey {

    static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private SharedKey() {}

    /**
     * The key that is configured.
     *
     * @param shared the settings, of which one must be a key
     * @param reason what needs it, as the beginning of a sentence for the operator
     * @return of any length: who uses it says which is too short
     * @throws LatchkeyConfigurationException if there is none, or the file cannot be read
     */
    public static Secret of(GuardProperties.Shared shared, String reason) {
        Secret secret = shared.secret();
        if (secret == null) {
            throw new LatchkeyConfigurationException(
                    reason + ", and no key is given for the digests of accounts and addresses",
                    HOW_TO_MAKE_ONE + ", and set latchkey.guard.shared.secret to file: and its path.");
        }
        Path file = shared.secretFile();
        return file == null ? secret : read(file);
    }

    private static Secret read(Path file) {
        try {
            return KeyFile.read(file);
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable("latchkey.guard.shared.secret", e, HOW_TO_MAKE_ONE);
        }
    }

    /**
     * The failure for an unusable key, with instructions for a new key.
     *
     * @param reason the fault, without any part of the key
     * @return to be thrown
     */
    public static LatchkeyConfigurationException refused(@Nullable String reason) {
        return new LatchkeyConfigurationException("latchkey.guard.shared: " + reason, HOW_TO_MAKE_ONE);
    }
}
