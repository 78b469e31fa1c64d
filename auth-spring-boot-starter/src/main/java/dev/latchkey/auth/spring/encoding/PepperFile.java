package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads a pepper from a file, in the format of a signing key. {@link KeyFile} describes the format, and refuses short or
 * published keys.
 */
final class PepperFile {

    private static final String HOW_TO_MAKE_ONE =
            "Make one with: openssl rand -base64 32 > pepper.key; chmod 600 pepper.key";

    private PepperFile() {}

    /**
     * @throws LatchkeyConfigurationException if the file of this property holds no usable key
     */
    static Secret read(String property, Path file) {
        try {
            return KeyFile.read(file);
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable(property, e, HOW_TO_MAKE_ONE);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(property + ": " + e.getMessage(), HOW_TO_MAKE_ONE);
        }
    }
}
