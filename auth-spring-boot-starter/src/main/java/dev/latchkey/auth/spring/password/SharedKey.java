package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The key that is the same on each node, under which what they keep together is digested. */
public final class SharedKey {

    static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private SharedKey() {}

    /**
     * The key that was given.
     *
     * @param shared the settings, of which one must be a key
     * @param reason what needs it
     * @throws LatchkeyConfigurationException if there is none, more than one, or the file cannot be read
     */
    public static Secret of(GuardProperties.Shared shared, String reason) {
        Secret secret = shared.secret();
        Path file = shared.secretFile();
        if ((secret == null) == (file == null)) {
            throw new LatchkeyConfigurationException(
                    reason + ", and " + (secret == null ? "no" : "more than one")
                            + " key is given for the digests of accounts and addresses",
                    HOW_TO_MAKE_ONE + ", and set latchkey.guard.shared.secret-file to it.");
        }
        return secret != null ? secret : read(Objects.requireNonNull(file));
    }

    private static Secret read(Path file) {
        try {
            return KeyFile.read(file);
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable("latchkey.guard.shared.secret-file", e, HOW_TO_MAKE_ONE);
        }
    }

    /** What is wrong with the key that was given. */
    public static LatchkeyConfigurationException refused(@Nullable String reason) {
        return new LatchkeyConfigurationException("latchkey.guard.shared: " + reason, HOW_TO_MAKE_ONE);
    }
}
