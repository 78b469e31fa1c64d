package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The common key of all nodes, for the digests in a shared store. */
public final class SharedKey {

    static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private SharedKey() {}

    /**
     * The configured key.
     *
     * @param shared enabled, and so with a key
     * @return of any length; the login limits reject a short key
     * @throws LatchkeyConfigurationException if the file cannot be read
     */
    public static Secret of(GuardProperties.Shared shared) {
        Path file = shared.secretFile();
        return file == null ? Objects.requireNonNull(shared.secret()) : read(file);
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
