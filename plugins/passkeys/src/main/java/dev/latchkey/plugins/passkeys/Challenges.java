package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * Self-authenticating challenges: {@code end, nonce, HMAC, note}. A new challenge is not stored, because unauthenticated
 * callers could fill the table. Only a used challenge is stored, and a use needs a right signature.
 *
 * <p>The HMAC binds a challenge to its purpose and account. Every node with the key accepts the challenge. Immutable, and safe
 * for use by any number of threads.
 */
final class Challenges {

    static final Duration LIFETIME = Duration.ofMinutes(5);

    private static final int KEY_BYTES = 32;
    private static final int END_BYTES = Long.BYTES;
    private static final int NONCE_BYTES = 16;
    private static final int MAC_BYTES = 32;
    private static final int LEAST = END_BYTES + NONCE_BYTES + MAC_BYTES;
    private static final int HANDLE_BYTES = 32;

    /** The only valid use of a challenge. */
    enum Purpose {
        /** A passkey as first factor; the challenge has no account. */
        LOGIN,
        /** A passkey after a password. */
        STEP,
        /** A passkey for {@link OwnPasskeys}; the client gets the challenge before the password is checked. */
        PROOF,
        REGISTRATION,
        /** No challenge: the account's user handle. */
        HANDLE
    }

    private final SecureRandom random = new SecureRandom();
    private final byte[] key;

    Challenges(Secret key) {
        if (key.length() != KEY_BYTES) {
            throw new IllegalArgumentException("The key of passkeys has " + KEY_BYTES + " bytes, got " + key.length());
        }
        this.key = key.withBytes(byte[]::clone);
    }

    /** A new challenge, good once and for {@link #LIFETIME}. */
    byte[] make(Purpose purpose, String account, String note, Instant now) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] end = ByteBuffer.allocate(END_BYTES)
                .putLong(now.plus(LIFETIME).toEpochMilli())
                .array();
        byte[] noted = note.getBytes(StandardCharsets.UTF_8);
        return concat(end, nonce, mac(purpose, account, end, nonce, noted), noted);
    }

    /** The note of this challenge; empty if the challenge has another key, purpose or account, or has expired. */
    Optional<String> open(Purpose purpose, String account, byte[] challenge, Instant now) {
        if (challenge.length < LEAST) {
            return Optional.empty();
        }
        byte[] end = Arrays.copyOf(challenge, END_BYTES);
        byte[] nonce = Arrays.copyOfRange(challenge, END_BYTES, END_BYTES + NONCE_BYTES);
        byte[] mac = Arrays.copyOfRange(challenge, END_BYTES + NONCE_BYTES, LEAST);
        byte[] note = Arrays.copyOfRange(challenge, LEAST, challenge.length);
        boolean isOurs = MessageDigest.isEqual(mac, mac(purpose, account, end, nonce, note));
        return isOurs && now.isBefore(endOf(challenge))
                ? Optional.of(new String(note, StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** The expiry of a challenge accepted by {@link #open}. */
    static Instant endOf(byte[] challenge) {
        return Instant.ofEpochMilli(ByteBuffer.wrap(challenge).getLong());
    }

    /** The user handle of an account: always the same, without information about the account. */
    byte[] handleOf(String account) {
        return Arrays.copyOf(mac(Purpose.HANDLE, account), HANDLE_BYTES);
    }

    /** Each part follows its length, so that different parts never have the same bytes. */
    private byte[] mac(Purpose purpose, String account, byte[]... parts) {
        Mac mac = Sha256.startHmac(key);
        update(mac, ("latchkey passkeys " + purpose).getBytes(StandardCharsets.UTF_8));
        update(mac, account.getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            update(mac, part);
        }
        return mac.doFinal();
    }

    private static void update(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        mac.update(part);
    }

    private static byte[] concat(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
