package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HexKeyFile;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.factory.PluginConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys for the encryption of secrets in a store: a current key, and former keys for decryption only. AES-256-GCM.
 *
 * <p>Each ciphertext is bound to its account, to its column in the row and to the key's id. A ciphertext in another row is
 * therefore invalid. The id is computed from the key, so keys need no names. Immutable, and safe for use by any number of
 * threads. Prints the ids alone.
 */
public final class SecretKeys {

    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final HexFormat HEX = HexFormat.of();

    private final SecureRandom random = new SecureRandom();
    private final String current;
    private final Map<String, SecretKeySpec> keys;

    private SecretKeys(String current, Map<String, SecretKeySpec> keys) {
        this.current = current;
        this.keys = keys;
    }

    /**
     * Keys with 32 bytes each.
     *
     * @param current encrypts new values
     * @param former decrypt earlier values
     * @return copies of the keys; the secrets may be wiped afterwards
     * @throws IllegalArgumentException if a key has another length
     */
    public static SecretKeys of(Secret current, Secret... former) {
        Map<String, SecretKeySpec> keys = new LinkedHashMap<>();
        String id = add(current, keys);
        for (Secret key : former) {
            add(key, keys);
        }
        return new SecretKeys(id, Map.copyOf(keys));
    }

    /**
     * The keys in these files: 64 hexadecimal digits each, the output of {@code openssl rand -hex 32}.
     *
     * @param current encrypts new values
     * @param former decrypt earlier values
     * @return the present keys in the files
     * @throws PluginConfigException if a file cannot be read or contains no such key; the message names the file
     */
    public static SecretKeys fromFiles(Path current, List<Path> former) {
        return of(
                HexKeyFile.read(current), former.stream().map(HexKeyFile::read).toArray(Secret[]::new));
    }

    /**
     * The id of the current key. Its ciphertexts begin with this id.
     *
     * @return a name that reveals nothing about the key
     */
    public String currentId() {
        return current;
    }

    private static String add(Secret key, Map<String, SecretKeySpec> keys) {
        if (key.length() != HexKeyFile.KEY_BYTES) {
            throw new IllegalArgumentException(
                    "AES-256 needs " + HexKeyFile.KEY_BYTES + " key bytes, got " + key.length());
        }
        String id = key.withBytes(SecretKeys::idOf);
        keys.put(id, key.withBytes(bytes -> new SecretKeySpec(bytes, "AES")));
        return id;
    }

    private static String idOf(byte[] key) {
        byte[] purpose = "latchkey one-time codes, id of key ".getBytes(StandardCharsets.UTF_8);
        return HEX.formatHex(Sha256.of(purpose, key), 0, ID_BYTES);
    }

    /** The column of a ciphertext in an account's row. */
    enum Column {
        IN_USE,
        PENDING
    }

    String seal(String account, Column column, byte[] plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, current, nonce, account, column).doFinal(plain);
            return current + "." + HEX.formatHex(nonce) + HEX.formatHex(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has AES in GCM", e);
        }
    }

    boolean isCurrent(String sealed) {
        return sealed.startsWith(current + ".");
    }

    /**
     * @throws AuthUnavailableException if these keys did not seal the text for this account and column; the login then
     *     ends in an outage
     */
    byte[] open(String account, Column column, String sealed) {
        String id = sealed.substring(0, Math.max(0, sealed.indexOf('.')));
        if (!keys.containsKey(id)) {
            throw AuthUnavailableException.outage(
                    "The secret of a one-time code is encrypted with a key that is not configured; its id is " + id);
        }
        try {
            byte[] bytes = HEX.parseHex(sealed.substring(id.length() + 1));
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            return cipher(Cipher.DECRYPT_MODE, id, nonce, account, column)
                    .doFinal(bytes, NONCE_BYTES, Math.max(0, bytes.length - NONCE_BYTES));
        } catch (AEADBadTagException | IllegalArgumentException e) {
            throw AuthUnavailableException.outage(
                    "The secret of a one-time code was changed, or is another account's", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has AES in GCM", e);
        }
    }

    private Cipher cipher(int mode, String id, byte[] nonce, String account, Column column)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, keys.get(id), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((id + " " + column + " " + account).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "SecretKeys[current=" + current + ", all=" + keys.keySet() + "]";
    }
}
