package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Repeated digests with one hash of the password: NetBSD's {@code $sha1$}, and FSHP. Read only. */
final class IteratedDigestFormats {

    /** About half a second of one core; both tools write thousands, and passlib 480,000. */
    static final int MAX_ROUNDS = 2_000_000;

    private static final Pattern SHA1_CRYPT =
            Pattern.compile("\\$sha1\\$([0-9]{1,20})\\$([./0-9A-Za-z]{0,64})\\$([./0-9A-Za-z]{28})");
    private static final Pattern FSHP =
            Pattern.compile("\\{FSHP([0-3])\\|([0-9]{1,20})\\|([0-9]{1,20})\\}([A-Za-z0-9+/]{16,512}={0,2})");
    private static final Digest[] FSHP_DIGESTS = {Digest.SHA1, Digest.SHA256, Digest.SHA384, Digest.SHA512};

    private IteratedDigestFormats() {}

    /**
     * NetBSD's {@code $sha1$rounds$salt$hash}: HMAC-SHA-1 with the password as key, applied repeatedly to its result.
     */
    static @Nullable ParsedHash sha1Crypt(String text) {
        if (!text.startsWith("$sha1$")) {
            return null;
        }
        String algorithm = "sha1-crypt";
        Matcher fields = SHA1_CRYPT.matcher(text);
        int rounds = fields.matches() ? HashText.number(fields.group(1)) : 0;
        if (rounds < 1) {
            return ParsedHash.damaged(algorithm);
        }
        if (rounds > MAX_ROUNDS) {
            return ParsedHash.beyond(algorithm, MAX_ROUNDS + " rounds");
        }
        byte[] first = (fields.group(2) + "$sha1$" + rounds).getBytes(StandardCharsets.US_ASCII);
        byte[] stored = fields.group(3).getBytes(StandardCharsets.US_ASCII);
        return ParsedHash.needing(
                Digest.SHA1,
                new ParsedHash.Checkable(
                        Parameters.of(algorithm, "rounds", rounds),
                        Growth.none(),
                        password -> MessageDigest.isEqual(stored, sha1Crypt(password, first, rounds))));
    }

    private static byte[] sha1Crypt(byte[] password, byte[] first, int rounds) {
        byte[] key = password.length > Digest.SHA1.blockBytes() ? Digest.SHA1.hash(password) : password;
        byte[] b = first;
        for (int i = 0; i < rounds; i++) {
            b = Digest.SHA1.hmac(key, b);
        }
        CryptBase64 text = new CryptBase64();
        for (int i = 0; i < 18; i += 3) {
            text.group(b[i], b[i + 1], b[i + 2], 4);
        }
        return text.group(b[18], b[19], b[0], 4).text().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * FSHP's {@code {FSHP1|16|8192}} before Base64 of salt and hash: a digest of salt and password, then applied
     * repeatedly to its result.
     */
    static @Nullable ParsedHash fshp(String text) {
        if (!text.startsWith("{FSHP")) {
            return null;
        }
        Matcher fields = FSHP.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("fshp");
        }
        Digest digest = FSHP_DIGESTS[HashText.number(fields.group(1))];
        String algorithm = "fshp-" + digest.algorithm().replace("-", "").toLowerCase(Locale.ROOT);
        int saltBytes = HashText.number(fields.group(2));
        int rounds = HashText.number(fields.group(3));
        byte[] bytes = Base64Alphabet.STANDARD.decode(fields.group(4));
        if (rounds < 1 || bytes == null || bytes.length != (long) saltBytes + digest.hashBytes()) {
            return ParsedHash.damaged(algorithm);
        }
        if (rounds > MAX_ROUNDS) {
            return ParsedHash.beyond(algorithm, MAX_ROUNDS + " rounds");
        }
        byte[] salt = Arrays.copyOf(bytes, saltBytes);
        byte[] stored = Arrays.copyOfRange(bytes, saltBytes, bytes.length);
        return ParsedHash.needing(
                digest,
                new ParsedHash.Checkable(
                        Parameters.of(algorithm, "rounds", rounds),
                        Growth.none(),
                        password -> MessageDigest.isEqual(stored, fshp(digest, salt, password, rounds))));
    }

    private static byte[] fshp(Digest algorithm, byte[] salt, byte[] password, int rounds) {
        MessageDigest digest = algorithm.start();
        digest.update(salt);
        byte[] sum = digest.digest(password);
        for (int i = 1; i < rounds; i++) {
            sum = digest.digest(sum);
        }
        return sum;
    }
}
