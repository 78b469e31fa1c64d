package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Reads the signing key that {@code latchkey.jwt} gives; there is no other one, and none is ever made up. */
final class SigningKeys {

    private static final String HOW_TO_MAKE_ONE = "Make one with: openssl rand -base64 32 > jwt.key; chmod 600 jwt.key";

    private SigningKeys() {}

    static HmacKey from(LatchkeyProperties.Jwt settings) {
        Secret secret = settings.secret();
        Path file = settings.secretFile();
        if (secret != null) {
            return made("latchkey.jwt.secret", () -> secret.withText(HmacKey::ofBase64));
        }
        if (file == null) { // what an environment variable that nobody has set leaves
            throw new LatchkeyConfigurationException("latchkey.jwt.secret-file is set and empty", HOW_TO_MAKE_ONE);
        }
        return fromFile("latchkey.jwt.secret-file", file);
    }

    /** @throws LatchkeyConfigurationException if the file that this property names holds no usable key */
    static HmacKey fromFile(String property, Path file) {
        return made(property, () -> HmacKey.ofFile(file));
    }

    /** The messages of {@link HmacKey} name the rule that the key breaks, and nothing of the key. */
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
