package dev.latchkey.auth.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secret keys that are not in the database. Each password goes through HMAC-SHA-256 under one of them before it is hashed, so a stolen table alone
 * gives an attacker nothing to try guesses on.
 *
 * <p>Each key has an id. The id is stored with the hash ({@code {pepper@2026a}…}), the key never. One key is used for new hashes; the others still
 * verify, and their rows are reported for an upgrade. Dropping a key locks out all whose rows name it. Under a pepper, bcrypt sees 43 characters
 * whatever the password's length, so its limit of 72 bytes no longer matters.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class Pepper {

    static final int MIN_KEY_BYTES = 32;

    private static final int APPLIED_BYTES = 43;
    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    private final String currentId;
    private final Map<String, Secret> keys;

    private Pepper(String currentId, Map<String, Secret> keys) {
        this.currentId = currentId;
        this.keys = Collections.unmodifiableMap(keys);
    }

    /**
     * The key for new hashes. The secret is copied, so that its owner may wipe it.
     *
     * @param id 1 to 32 letters, digits, dots, underscores and hyphens
     * @param key at least 32 random bytes
     * @return to be given further keys by {@link #andOld}
     * @throws IllegalArgumentException if the id is not of that form, or the key has fewer bytes
     */
    public static Pepper of(String id, Secret key) {
        return new Pepper(id, new LinkedHashMap<>()).with(id, key);
    }

    /**
     * One more key, which verifies but is not used for new hashes. The secret is copied, as the first one is.
     *
     * @param id that rows of this key name
     * @param key at least 32 bytes
     * @return a changed copy
     * @throws IllegalArgumentException if the id is not of its form or is taken, or the key has fewer bytes
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

    String currentId() {
        return currentId;
    }

    boolean has(String id) {
        return keys.containsKey(id);
    }

    /** {@link #apply} under the key of this id, as a step before another hash. */
    ParsedHash.PreHash preHash(String id) {
        return new ParsedHash.PreHash(Digest.SHA256, APPLIED_BYTES, password -> apply(id, password));
    }

    /** The password's HMAC as 43 characters: text, since bcrypt and others end a password at a zero byte. */
    byte[] apply(String id, byte[] password) {
        Secret key = keys.get(id);
        if (key == null) {
            throw new IllegalStateException("There is no pepper key '" + id + "'");
        }
        return key.withBytes(bytes -> {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(bytes, ALGORITHM));
                return Base64Alphabet.STANDARD.encode(mac.doFinal(password)).getBytes(StandardCharsets.US_ASCII);
            } catch (NoSuchAlgorithmException | InvalidKeyException e) {
                throw new IllegalStateException("No security provider of this JVM has " + ALGORITHM, e);
            }
        });
    }

    /** Names the ids of the keys, and shows no key. */
    @Override
    public String toString() {
        Set<String> ids = keys.keySet();
        return "Pepper" + ids;
    }
}
