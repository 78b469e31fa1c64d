package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The secrets under which API keys are digested before a store sees them: one for what is written from now on, and former ones, which still
 * check. HMAC-SHA-256. An API key has 256 random bits, so a slow hash would protect nothing and cost each request.
 *
 * <p>The id of such a secret follows from it, so nobody has to name them. Immutable, and safe for use by any number of threads. Prints the ids
 * alone.
 */
public final class KeyDigests {

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 8;
    private static final HexFormat HEX = HexFormat.of();

    private final String current;
    private final Map<String, KeyedDigest> byId;

    private KeyDigests(String current, Map<String, KeyedDigest> byId) {
        this.current = current;
        this.byId = byId;
    }

    /**
     * Digests under these secrets of 32 bytes each.
     *
     * @param current digests what is written from now on
     * @param former check what was written before
     * @return digests of their own; the secrets may be wiped afterwards
     * @throws IllegalArgumentException if one has another length
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
     * Digests under the secret of each of these files: 64 hexadecimal digits, as {@code openssl rand -hex 32} writes them.
     *
     * @param current digests what is written from now on
     * @param former check what was written before
     * @return digests by what is in the files now
     * @throws PluginConfigException if one cannot be read or holds no such secret; the message names the file
     */
    public static KeyDigests fromFiles(Path current, List<Path> former) {
        return of(read(current), former.stream().map(KeyDigests::read).toArray(Secret[]::new));
    }

    /**
     * The id of the secret that digests; what it digested begins with it.
     *
     * @return a name that tells nothing of the secret
     */
    public String currentId() {
        return current;
    }

    private static Secret read(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            // Without the cause: what a file holds that is not text may be in its message.
            throw new PluginConfigException("The key file " + file + " cannot be read as text ("
                    + e.getClass().getSimpleName() + "); make one with: openssl rand -hex 32 > " + file);
        }
        if (text.length() != 2 * SECRET_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new PluginConfigException(
                    "The key file " + file + " must hold 64 hexadecimal digits and nothing else;"
                            + " make one with: openssl rand -hex 32 > " + file);
        }
        return Secret.of(HEX.parseHex(text));
    }

    private static String add(Secret secret, Map<String, KeyedDigest> byId) {
        if (secret.length() != SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "HMAC-SHA-256 needs " + SECRET_BYTES + " key bytes here, got " + secret.length());
        }
        String id = secret.withBytes(KeyDigests::idOf);
        byId.put(id, secret.withBytes(KeyedDigest::under));
        return id;
    }

    private static String idOf(byte[] secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("latchkey api keys, id of key ".getBytes(StandardCharsets.UTF_8));
            return HEX.formatHex(Arrays.copyOf(digest.digest(secret), ID_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** The digest to store of a secret that stands in this text, bound to what else the row says. */
    String digest(byte[] text, int from, byte[] binding) {
        return current + "."
                + HEX.formatHex(Objects.requireNonNull(byId.get(current)).of(text, from, binding));
    }

    boolean isCurrent(String stored) {
        return stored.startsWith(current + ".");
    }

    /** @throws AuthUnavailableException if it is of a secret that is not here, or is no digest: nobody is refused by that */
    Expected expected(String stored) {
        String id = stored.substring(0, Math.max(0, stored.indexOf('.')));
        KeyedDigest digest = byId.get(id);
        if (digest == null) {
            throw AuthUnavailableException.outage(
                    "An API key is digested under a secret that is not configured; its id is " + id);
        }
        try {
            return new Expected(digest, HEX.parseHex(stored.substring(id.length() + 1)));
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("The stored digest of an API key is none", e);
        }
    }

    /** For a key that there is not: the same work, and never right. */
    Expected nothing() {
        return new Expected(Objects.requireNonNull(byId.get(current)), new byte[0]);
    }

    /** A stored digest, ready to be compared. */
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
