package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Reads the signing key of {@code latchkey.jwt}. There is no default key, and no generated key. */
final class SigningKeys {

    private static final String HOW_TO_MAKE_ONE = "Make one with: openssl rand -base64 32 > jwt.key; chmod 600 jwt.key";

    private SigningKeys() {}

    static HmacKey from(LatchkeyProperties.Jwt settings) {
        Secret secret = settings.secret();
        Path file = settings.secretFile();
        if (file != null) {
            return fromFile("latchkey.jwt.secret", file, KeyForm.of(settings));
        }
        if (secret == null) { // what an environment variable without a value leaves
            throw new LatchkeyConfigurationException("latchkey.jwt.secret is set and empty", HOW_TO_MAKE_ONE);
        }
        return made("latchkey.jwt.secret", () -> secret.withText(KeyForm.of(settings)::of));
    }

    /**
     * @throws LatchkeyConfigurationException if the file of this property has no usable key
     */
    static HmacKey fromFile(String property, Path file, KeyForm form) {
        return made(property, () -> form.in(file));
    }

    /** The messages of {@link HmacKey} name the broken rule, and no part of the key. */
    private static HmacKey made(String property, Callable<HmacKey> source) {
        try {
            return source.call();
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable(property, e, HOW_TO_MAKE_ONE);
        } catch (Exception e) {
            throw new LatchkeyConfigurationException(property + ": " + e.getMessage(), HOW_TO_MAKE_ONE);
        }
    }
}
