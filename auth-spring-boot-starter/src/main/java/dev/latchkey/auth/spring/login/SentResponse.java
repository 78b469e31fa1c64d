package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.engine.StepUse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;

/**
 * A response to a step. After an outage, or at a full account, the client may send the same response again. For a single thread at
 * a time, as its {@link StepUse}.
 */
final class SentResponse {

    private final byte[] digest;
    private final StepUse use = new StepUse();

    SentResponse(Map<String, Secret> fields) {
        this.digest = digest(fields);
    }

    boolean isSame(Map<String, Secret> fields) {
        return MessageDigest.isEqual(digest, digest(fields));
    }

    StepUse use() {
        return use;
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
