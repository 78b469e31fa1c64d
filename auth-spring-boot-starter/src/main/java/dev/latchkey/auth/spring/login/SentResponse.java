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
import org.jspecify.annotations.Nullable;

/**
 * A response to a step, without an answer because of an outage or a full account. The client may send the same response again. A
 * plugin accepts a one-time code only once, so the plugin is not asked again after a passed step. Immutable.
 */
final class SentResponse {

    private final byte[] digest;
    private final @Nullable Authenticated passed;

    /** @param passed the login after the last step; null if the plugin has not decided */
    SentResponse(Map<String, Secret> fields, @Nullable Authenticated passed) {
        this.digest = digest(fields);
        this.passed = passed;
    }

    boolean isSame(Map<String, Secret> fields) {
        return MessageDigest.isEqual(digest, digest(fields));
    }

    Optional<Authenticated> passed() {
        return Optional.ofNullable(passed);
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
