package dev.latchkey.auth.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Secret keys outside the database. Before hashing, a password goes through HMAC-SHA-256 with one of the keys. An
 * attacker with a stolen table alone cannot test guesses.
 *
 * <p>Each key has an id. The id is stored with the hash ({@code {pepper@2026a}…}), and the key is never stored. One key
 * is used for new hashes. The other keys still verify, and their rows are reported for an upgrade. With {@link #onlyOld}
 * no key is used for new hashes. If a key is removed, all accounts with its id in their rows are locked out. With a
 * pepper for new hashes, bcrypt receives 43 characters for any password, so bcrypt's limit of 72 bytes no longer
 * matters.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class Pepper {

    static final int MIN_KEY_BYTES = 32;

    private static final int APPLIED_BYTES = 43;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    @Nullable
    private final String currentId;

    private final Map<String, Secret> keys;

    private Pepper(@Nullable String currentId, Map<String, Secret> keys) {
        this.currentId = currentId;
        this.keys = Collections.unmodifiableMap(keys);
    }

    /**
     * Creates a pepper with the key for new hashes. The secret is copied, so the caller may wipe the original.
     *
     * @param id 1 to 32 letters, digits, dots, underscores and hyphens
     * @param key at least 32 random bytes
     * @return a pepper with one key; add old keys with {@link #andOld}
     * @throws IllegalArgumentException if the id has another form, or the key is too short
     */
    public static Pepper of(String id, Secret key) {
        return new Pepper(id, new LinkedHashMap<>()).with(id, key);
    }

    /**
     * Creates a pepper with keys for verification only: new hashes have no pepper, and the pepper of a row is no reason for
     * an upgrade. Use this method to give a key to all nodes before the first node writes with the key.
     *
     * @return a pepper without keys; add the keys with {@link #andOld}
     */
    public static Pepper onlyOld() {
        return new Pepper(null, new LinkedHashMap<>());
    }

    /**
     * Returns a copy with one more key for verification only. The secret is copied.
     *
     * @param id as stored in rows of this key
     * @param key at least 32 bytes
     * @return a changed copy
     * @throws IllegalArgumentException if the id has another form or is taken, or the key is too short
     */
    public Pepper andOld(String id, Secret key) {
        return with(id, key);
    }

    private Pepper with(String id, Secret key) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "A pepper's id is 1 to 32 letters, digits, dots, underscores and hyphens");
        }
        if (keys.containsKey(id)) {
            throw new IllegalArgumentException("Two pepper keys have the id '" + id + "'; ids must differ");
        }
        if (key.length() < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "A pepper key needs at least " + MIN_KEY_BYTES + " bytes, '" + id + "' has " + key.length());
        }
        Map<String, Secret> more = new LinkedHashMap<>(keys);
        more.put(id, key.withBytes(Secret::of));
        return new Pepper(currentId, more);
    }

    /** The id for new hashes; null if new hashes have no pepper. */
    @Nullable
    String currentId() {
        return currentId;
    }

    boolean has(String id) {
        return keys.containsKey(id);
    }

    /** {@link #apply} with the key of this id, as a step before another hash. */
    ParsedHash.PreHash preHash(String id) {
        return new ParsedHash.PreHash(Digest.SHA256, APPLIED_BYTES, password -> apply(id, password));
    }

    /** The password's HMAC as 43 characters of text, because some algorithms, such as bcrypt, end a password at a zero byte. */
    byte[] apply(String id, byte[] password) {
        Secret key = keys.get(id);
        if (key == null) {
            throw new IllegalStateException("There is no pepper key '" + id + "'");
        }
        byte[] mac = key.withBytes(bytes -> Digest.SHA256.hmac(bytes, password));
        return Base64Alphabet.STANDARD.encode(mac).getBytes(StandardCharsets.US_ASCII);
    }

    /** Prints the ids of the keys, and no key. */
    @Override
    public String toString() {
        Set<String> ids = keys.keySet();
        return "Pepper" + ids;
    }
}
