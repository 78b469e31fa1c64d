package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HexKeyFile;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.factory.PluginConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The secrets for the digests of API keys in a store: a current secret for new digests, and former secrets for checks
 * only. HMAC-SHA-256. An API key has 256 random bits, so a slow hash would protect nothing and cost time in each
 * request.
 *
 * <p>The id is computed from the secret, so secrets need no names. Immutable, and safe for use by any number of
 * threads. Prints the ids alone.
 */
public final class KeyDigests {

    private static final int ID_BYTES = 8;
    private static final HexFormat HEX = HexFormat.of();

    private final String current;
    private final Map<String, KeyedDigest> byId;

    private KeyDigests(String current, Map<String, KeyedDigest> byId) {
        this.current = current;
        this.byId = byId;
    }

    /**
     * Digests with these secrets of 32 bytes each.
     *
     * @param current for new digests
     * @param former for checks of earlier digests
     * @return copies of the secrets; the arguments may be wiped afterwards
     * @throws IllegalArgumentException if a secret has another length
     */
    public static KeyDigests of(Secret current, Secret... former) {
        Map<String, KeyedDigest> byId = new LinkedHashMap<>();
        String id = add(current, byId);
        for (Secret secret : former) {
            add(secret, byId);
        }
        return new KeyDigests(id, Map.copyOf(byId));
    }

    /**
     * Digests with the secrets in these files: 64 hexadecimal digits each, the output of {@code openssl rand -hex 32}.
     *
     * @param current for new digests
     * @param former for checks of earlier digests
     * @return digests with the present secrets in the files
     * @throws PluginConfigException if a file cannot be read or contains no such secret; the message names the file
     */
    public static KeyDigests fromFiles(Path current, List<Path> former) {
        return of(
                HexKeyFile.read(current), former.stream().map(HexKeyFile::read).toArray(Secret[]::new));
    }

    /**
     * The id of the current secret. Its digests begin with this id.
     *
     * @return a name that reveals nothing about the secret
     */
    public String currentId() {
        return current;
    }

    private static String add(Secret secret, Map<String, KeyedDigest> byId) {
        if (secret.length() != HexKeyFile.KEY_BYTES) {
            throw new IllegalArgumentException(
                    "HMAC-SHA-256 needs " + HexKeyFile.KEY_BYTES + " key bytes here, got " + secret.length());
        }
        String id = secret.withBytes(KeyDigests::idOf);
        byId.put(id, secret.withBytes(KeyedDigest::under));
        return id;
    }

    private static String idOf(byte[] secret) {
        byte[] purpose = "latchkey api keys, id of key ".getBytes(StandardCharsets.UTF_8);
        return HEX.formatHex(Sha256.of(purpose, secret), 0, ID_BYTES);
    }

    /** The digest for the store, of the secret from this index on, bound to the other values of the row. */
    String digest(byte[] text, int from, byte[] binding) {
        return current + "."
                + HEX.formatHex(Objects.requireNonNull(byId.get(current)).of(text, from, binding));
    }

    boolean isCurrent(String stored) {
        return stored.startsWith(current + ".");
    }

    /** Whether the secret of this digest is configured. */
    boolean hasSecretOf(String stored) {
        return byId.containsKey(secretIdOf(stored));
    }

    private static String secretIdOf(String stored) {
        return stored.substring(0, Math.max(0, stored.indexOf('.')));
    }

    /**
     * @throws AuthUnavailableException if the secret of the digest is not configured, or the text is no digest; the key
     *     is not reported as wrong then
     */
    Expected expected(String stored) {
        String id = secretIdOf(stored);
        KeyedDigest digest = byId.get(id);
        if (digest == null) {
            throw AuthUnavailableException.outage(
                    "An API key is digested under a secret that is not configured; its id is " + id);
        }
        try {
            return new Expected(digest, HEX.parseHex(stored.substring(id.length() + 1)));
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("The stored digest of an API key has a wrong form", e);
        }
    }

    /** For an unknown key: the same work, and never a match. */
    Expected nothing() {
        return new Expected(Objects.requireNonNull(byId.get(current)), new byte[0]);
    }

    /** A stored digest, ready for comparisons. */
    static final class Expected {

        private final KeyedDigest digest;
        private final byte[] mac;

        private Expected(KeyedDigest digest, byte[] mac) {
            this.digest = digest;
            this.mac = mac;
        }

        boolean matches(byte[] text, int from, byte[] binding) {
            return MessageDigest.isEqual(mac, digest.of(text, from, binding));
        }
    }

    @Override
    public String toString() {
        return "KeyDigests[current=" + current + ", all=" + byId.keySet() + "]";
    }
}
