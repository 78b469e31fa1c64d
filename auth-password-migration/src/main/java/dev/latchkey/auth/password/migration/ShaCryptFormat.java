package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * glibc's {@code $5$} and {@code $6$} (U. Drepper, "Unix crypt using SHA-256 and SHA-512", version 0.6). Read only.
 *
 * <p>The implementation uses the JDK's digests instead of a library: old hashes do not justify a dependency for every
 * service. The tests compare the results with glibc, OpenSSL and a library.
 */
final class ShaCryptFormat implements HashFormat {

    /** One million rounds are about half a second of one core; the format itself allows 999,999,999. */
    static final int MAX_ROUNDS = 1_000_000;

    private static final Pattern TEXT = Pattern.compile(
            "\\$([56])\\$(?:rounds=([0-9]{1,20})\\$)?([^$:\n]{0,16})[^$:\n]{0,64}\\$([./0-9A-Za-z]{43,86})");
    private static final int MAX_SALT_BYTES = 16;
    private static final double BYTES_IN_THE_TIME_OF_A_ROUND = 200;
    private static final int DEFAULT_ROUNDS = 5000;
    private static final int LEAST_ROUNDS = 1000;
    private static final int SHA256_CHARACTERS = 43;
    private static final int SHA512_CHARACTERS = 86;

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("$5$") && !text.startsWith("$6$")) {
            return null;
        }
        String algorithm = text.charAt(1) == '5' ? "sha256-crypt" : "sha512-crypt";
        Matcher fields = TEXT.matcher(text);
        boolean wide = text.charAt(1) == '6';
        if (!fields.matches() || fields.group(4).length() != (wide ? SHA512_CHARACTERS : SHA256_CHARACTERS)) {
            return ParsedHash.damaged(algorithm);
        }
        int rounds =
                fields.group(2) == null ? DEFAULT_ROUNDS : Math.max(LEAST_ROUNDS, HashText.number(fields.group(2)));
        if (rounds > MAX_ROUNDS) {
            return ParsedHash.beyond(algorithm, MAX_ROUNDS + " rounds");
        }
        byte[] salt = fields.group(3).getBytes(StandardCharsets.UTF_8);
        byte[] stored = fields.group(4).getBytes(StandardCharsets.US_ASCII);
        Digest digest = wide ? Digest.SHA512 : Digest.SHA256;
        return ParsedHash.needing(
                digest,
                new ParsedHash.Checkable(
                        Parameters.of(algorithm, "rounds", rounds),
                        growth(digest, rounds),
                        password -> MessageDigest.isEqual(stored, hash(wide, password, salt, rounds))));
    }

    /**
     * Each round hashes the last sum and the password. Two of three rounds add the salt, and six of seven the password
     * once more. Before the first round, the password is hashed once for each of its bytes.
     */
    private static Growth growth(Digest digest, int rounds) {
        Growth ofRounds = Growth.eachRound(1 + 2 / 3.0, digest.hashBytes() + MAX_SALT_BYTES * 2 / 3.0, 1 + 6 / 7.0);
        return bytes -> ofRounds.factor(bytes) + (double) bytes * bytes / (rounds * BYTES_IN_THE_TIME_OF_A_ROUND);
    }

    private static byte[] hash(boolean wide, byte[] password, byte[] salt, int rounds) {
        MessageDigest digest = (wide ? Digest.SHA512 : Digest.SHA256).start();
        byte[] sum = firstSum(digest, password, salt);
        byte[] p = repeated(repeatedDigest(digest, password, password.length), password.length);
        byte[] s = repeated(repeatedDigest(digest, salt, 16 + (sum[0] & 0xff)), salt.length);
        for (int round = 0; round < rounds; round++) {
            boolean odd = round % 2 == 1;
            digest.update(odd ? p : sum);
            if (round % 3 != 0) {
                digest.update(s);
            }
            if (round % 7 != 0) {
                digest.update(p);
            }
            digest.update(odd ? sum : p);
            sum = digest.digest();
        }
        Arrays.fill(p, (byte) 0);
        return (wide ? text512(sum) : text256(sum)).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] firstSum(MessageDigest digest, byte[] password, byte[] salt) {
        digest.update(password);
        digest.update(salt);
        digest.update(password);
        byte[] alternate = digest.digest();
        digest.update(password);
        digest.update(salt);
        digest.update(repeated(alternate, password.length));
        for (int bits = password.length; bits > 0; bits >>= 1) {
            digest.update((bits & 1) == 1 ? alternate : password);
        }
        return digest.digest();
    }

    private static byte[] repeatedDigest(MessageDigest digest, byte[] input, int times) {
        for (int i = 0; i < times; i++) {
            digest.update(input);
        }
        return digest.digest();
    }

    private static byte[] repeated(byte[] bytes, int length) {
        byte[] filled = new byte[length];
        for (int i = 0; i < length; i++) {
            filled[i] = bytes[i % bytes.length];
        }
        return filled;
    }

    /** The order of the three bytes rotates from group to group. */
    private static String text256(byte[] b) {
        CryptBase64 text = new CryptBase64();
        for (int i = 0, group = 0; group < 10; group++, i = (i + 21) % 30) {
            text.group(b[i], b[(i + 10) % 30], b[(i + 20) % 30], 4);
        }
        return text.group(0, b[31], b[30], 3).text();
    }

    private static String text512(byte[] b) {
        CryptBase64 text = new CryptBase64();
        for (int i = 0, group = 0; group < 21; group++, i = (i + 22) % 63) {
            text.group(b[i], b[(i + 21) % 63], b[(i + 42) % 63], 4);
        }
        return text.group(0, 0, b[63], 2).text();
    }
}
