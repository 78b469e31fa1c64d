package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The portable hashes of phpass. {@code $P$} of WordPress and {@code $H$} of phpBB have 2^n rounds of MD5. {@code $S$}
 * of Drupal 7 has SHA-512 and is cut to 55 characters. {@code U$S$} of Drupal is an older MD5, hashed in the new way.
 * Read only.
 */
final class PhpassFormat implements HashFormat {

    static final int MAX_LOG2_ROUNDS = 20;

    private static final int LEAST_LOG2_ROUNDS = 7;
    private static final int SALT_AT = 4;
    private static final int HASH_AT = 12;
    private static final int PHPASS_CHARACTERS = 34;
    private static final int DRUPAL_CHARACTERS = 55;

    @Override
    public @Nullable ParsedHash read(String text) {
        if (text.startsWith("$P$") || text.startsWith("$H$")) {
            return read("phpass", Digest.MD5, PHPASS_CHARACTERS, text);
        }
        if (text.startsWith("$S$")) {
            return read("drupal7", Digest.SHA512, DRUPAL_CHARACTERS, text);
        }
        return text.startsWith("U$S$") ? readOfMd5(text.substring(1)) : null;
    }

    private static ParsedHash readOfMd5(String text) {
        String algorithm = "drupal7-md5";
        ParsedHash parsed = read(algorithm, Digest.SHA512, DRUPAL_CHARACTERS, text);
        return parsed instanceof ParsedHash.Checkable hash
                ? hash.after(
                        algorithm,
                        new ParsedHash.PreHash(Digest.MD5, 2 * Digest.MD5.hashBytes(), PhpassFormat::md5Hex),
                        "")
                : parsed;
    }

    private static byte[] md5Hex(byte[] password) {
        return HexFormat.of().formatHex(Digest.MD5.hash(password)).getBytes(StandardCharsets.US_ASCII);
    }

    private static ParsedHash read(String algorithm, Digest digest, int characters, String text) {
        if (text.length() != characters || !text.substring(3).chars().allMatch(c -> CryptBase64.value((char) c) >= 0)) {
            return ParsedHash.damaged(algorithm);
        }
        int log2 = CryptBase64.value(text.charAt(3));
        if (log2 < LEAST_LOG2_ROUNDS) {
            return ParsedHash.damaged(algorithm);
        }
        if (log2 > MAX_LOG2_ROUNDS) {
            return ParsedHash.beyond(algorithm, "2^" + MAX_LOG2_ROUNDS + " rounds");
        }
        byte[] salt = text.substring(SALT_AT, HASH_AT).getBytes(StandardCharsets.US_ASCII);
        byte[] stored = text.substring(HASH_AT).getBytes(StandardCharsets.US_ASCII);
        return ParsedHash.needing(
                digest,
                new ParsedHash.Checkable(
                        Parameters.of(algorithm, "log2rounds", log2),
                        Growth.eachRound(1, digest.hashBytes(), 1),
                        password -> MessageDigest.isEqual(
                                stored, Arrays.copyOf(hash(digest, password, salt, 1 << log2), stored.length))));
    }

    private static byte[] hash(Digest algorithm, byte[] password, byte[] salt, int rounds) {
        MessageDigest digest = algorithm.start();
        digest.update(salt);
        byte[] sum = digest.digest(password);
        for (int i = 0; i < rounds; i++) {
            digest.update(sum);
            sum = digest.digest(password);
        }
        return CryptBase64.ofAll(sum).getBytes(StandardCharsets.US_ASCII);
    }
}
