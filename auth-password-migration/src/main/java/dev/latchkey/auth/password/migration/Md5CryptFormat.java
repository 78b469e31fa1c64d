package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** FreeBSD's {@code $1$} and Apache's {@code $apr1$}: a thousand rounds of MD5 (P.-H. Kamp, 1994). Read only. */
final class Md5CryptFormat implements HashFormat {

    private static final Pattern TEXT =
            Pattern.compile("(\\$1\\$|\\$apr1\\$)([^$:\n]{0,8})[^$:\n]{0,64}\\$([./0-9A-Za-z]{22})");
    private static final int ROUNDS = 1000;

    /**
     * Each round hashes the last sum and the password. Two of three rounds add the salt, and six of seven the password
     * once more.
     */
    private static final Growth GROWTH = Growth.eachRound(1 + 2 / 3.0, 16 + 8 * 2 / 3.0, 1 + 6 / 7.0);

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("$1$") && !text.startsWith("$apr1$")) {
            return null;
        }
        String algorithm = text.startsWith("$1$") ? "md5-crypt" : "apr1";
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged(algorithm);
        }
        byte[] magic = fields.group(1).getBytes(StandardCharsets.US_ASCII);
        byte[] salt = fields.group(2).getBytes(StandardCharsets.UTF_8);
        byte[] stored = fields.group(3).getBytes(StandardCharsets.US_ASCII);
        return ParsedHash.needing(
                Digest.MD5,
                new ParsedHash.Checkable(
                        Parameters.none(algorithm),
                        GROWTH,
                        password -> MessageDigest.isEqual(stored, hash(magic, password, salt))));
    }

    private static byte[] hash(byte[] magic, byte[] password, byte[] salt) {
        MessageDigest digest = Digest.MD5.start();
        byte[] sum = firstSum(digest, magic, password, salt);
        for (int round = 0; round < ROUNDS; round++) {
            boolean odd = round % 2 == 1;
            digest.update(odd ? password : sum);
            if (round % 3 != 0) {
                digest.update(salt);
            }
            if (round % 7 != 0) {
                digest.update(password);
            }
            digest.update(odd ? sum : password);
            sum = digest.digest();
        }
        return text(sum).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] firstSum(MessageDigest digest, byte[] magic, byte[] password, byte[] salt) {
        digest.update(password);
        digest.update(salt);
        digest.update(password);
        byte[] alternate = digest.digest();
        digest.update(password);
        digest.update(magic);
        digest.update(salt);
        for (int left = password.length; left > 0; left -= alternate.length) {
            digest.update(alternate, 0, Math.min(left, alternate.length));
        }
        // The original code meant the alternate sum, which was already cleared: the digest receives a zero byte.
        for (int bits = password.length; bits > 0; bits >>= 1) {
            digest.update((bits & 1) == 1 ? 0 : password[0]);
        }
        return digest.digest();
    }

    private static String text(byte[] b) {
        CryptBase64 text = new CryptBase64();
        for (int i = 0; i < 4; i++) {
            text.group(b[i], b[i + 6], b[i + 12], 4);
        }
        return text.group(b[4], b[10], b[5], 4).group(0, 0, b[11], 2).text();
    }
}
