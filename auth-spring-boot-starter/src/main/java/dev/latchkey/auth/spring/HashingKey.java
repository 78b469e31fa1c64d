package dev.latchkey.auth.spring;

import dev.latchkey.auth.Secret;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Which question an answer belongs to: an encoder, what was presented, and the stored hash, none where one is to be made. */
final class HashingKey {

    private final PasswordEncoder encoder;
    private final Secret presented;
    private final @Nullable String storedHash;

    HashingKey(PasswordEncoder encoder, CharSequence presented, @Nullable String storedHash) {
        this.encoder = encoder;
        this.presented = Secret.of(presented.toString());
        this.storedHash = storedHash;
    }

    Secret presented() {
        return presented;
    }

    @SuppressWarnings("ReferenceEquality") // which encoder it is, not what it says it equals
    boolean isSameAs(HashingKey other) {
        return encoder == other.encoder
                && (storedHash == null ? other.storedHash == null : storedHash.equals(other.storedHash))
                && presented.matches(other.presented);
    }

    /** Says nothing of either. */
    @Override
    public String toString() {
        return "HashingKey[****]";
    }
}
