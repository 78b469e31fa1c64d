package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.SecretEncoding;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the texts of all secrets become keys.
 *
 * @param algorithm of all keys; null for that of a key's length
 */
record KeyForm(SecretEncoding encoding, @Nullable HmacAlgorithm algorithm) {

    static final KeyForm STRICT = new KeyForm(SecretEncoding.BASE64, null);

    static KeyForm of(LatchkeyProperties.Jwt settings) {
        return new KeyForm(settings.secretEncoding(), settings.algorithm());
    }

    HmacKey of(CharSequence text) {
        if (encoding == SecretEncoding.BASE64) {
            return algorithm == null ? HmacKey.ofBase64(text) : HmacKey.ofBase64(text, algorithm);
        }
        return algorithm == null ? HmacKey.ofSecret(text, encoding) : HmacKey.ofSecret(text, encoding, algorithm);
    }

    HmacKey in(Path file) throws IOException {
        return algorithm == null ? HmacKey.ofFile(file, encoding) : HmacKey.ofFile(file, encoding, algorithm);
    }
}
