package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A login with all its steps passed, and without tokens because of an outage or a full account. A plugin accepts a one-time code
 * only once. So the same response completes this login later, and the plugin is not asked again. Immutable.
 */
final class PassedLogin {

    private final Authenticated login;

    /** A digest: the response of the last step is a secret. */
    private final byte[] response;

    PassedLogin(Authenticated login, Map<String, Secret> response) {
        this.login = login;
        this.response = digest(response);
    }

    /** The login; empty for another response. */
    Optional<Authenticated> after(Map<String, Secret> repeated) {
        return MessageDigest.isEqual(response, digest(repeated)) ? Optional.of(login) : Optional.empty();
    }

    /** Each text with its length before, so that no other fields have this digest. */
    private static byte[] digest(Map<String, Secret> fields) {
        MessageDigest digest = Sha256.start();
        new TreeMap<>(fields).forEach((name, value) -> {
            update(digest, name.getBytes(StandardCharsets.UTF_8));
            value.withBytes(bytes -> {
                update(digest, bytes);
                return name;
            });
        });
        return digest.digest();
    }

    private static void update(MessageDigest digest, byte[] text) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).flip());
        digest.update(text);
    }
}
