package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads a pepper from a file that holds what the file of a signing key may hold: {@link HmacKey#ofFile} says what that is, and refuses
 * what is no key, too short, or known to everybody.
 */
final class PepperFile {

    private static final String HOW_TO_MAKE_ONE =
            "Make one with: openssl rand -base64 32 > pepper.key; chmod 600 pepper.key";

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private PepperFile() {}

    /** @throws LatchkeyConfigurationException if the file that this property names holds no usable key */
    static Secret read(String property, Path file) {
        try {
            HmacKey.ofFile(file).close();
            return decoded(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new LatchkeyConfigurationException(property + ": the file cannot be read: " + e, HOW_TO_MAKE_ONE);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(property + ": " + e.getMessage(), HOW_TO_MAKE_ONE);
        }
    }

    /** Of a text that was found to be Base64 or Base64url: what is in neither alphabet is padding or the end of a line. */
    private static Secret decoded(String text) {
        byte[] key = new byte[text.length()];
        int length = 0;
        int bits = 0;
        int held = 0;
        for (char c : text.replace('-', '+').replace('_', '/').toCharArray()) {
            int value = ALPHABET.indexOf(c);
            if (value < 0) {
                continue;
            }
            bits = (bits << 6) | value;
            held += 6;
            if (held >= 8) {
                held -= 8;
                key[length++] = (byte) (bits >> held);
            }
        }
        byte[] exact = Arrays.copyOf(key, length);
        Arrays.fill(key, (byte) 0);
        try {
            return Secret.of(exact);
        } finally {
            Arrays.fill(exact, (byte) 0);
        }
    }
}
