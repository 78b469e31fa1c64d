package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The key that all nodes have, under which they digest what they keep together. */
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

    /**
     * Says that the key which was given is no good, and how to make one.
     *
     * @param reason what is wrong with it; holds nothing of the key
     * @return to be thrown
     */
    public static LatchkeyConfigurationException refused(@Nullable String reason) {
        return new LatchkeyConfigurationException("latchkey.guard.shared: " + reason, HOW_TO_MAKE_ONE);
    }
}
