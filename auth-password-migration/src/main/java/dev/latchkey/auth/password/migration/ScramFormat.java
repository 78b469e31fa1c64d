package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's stored value for SCRAM (RFC 5803 section 2, RFC 5802 section 3), also used by PostgreSQL:
 * {@code SCRAM-SHA-256$4096:salt$StoredKey:ServerKey}. Read only.
 *
 * <p>SCRAM prepares a password with SASLprep (RFC 4013). This class applies the changes of SASLprep (sections 2.1 and
 * 2.2): spaces become U+0020, invisible characters are dropped, and NFKC is applied. Forbidden characters, such as an
 * emoji, are not checked. The original tool rejected such a password or hashed the unchanged text. In the second case
 * the password matches, unless SASLprep changes other characters.
 */
final class ScramFormat {

    private static final Pattern TEXT = Pattern.compile(
            "SCRAM-SHA-(1|256|512) *\\$ *([0-9]{1,20}):([^$: ]{1,180}) *\\$ *([^$: ]{1,180}):([^$: ]{1,180})");
    private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.US_ASCII);

    /** RFC 3454, table C.1.2. */
    private static final Pattern SPACES = Pattern.compile("[\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000]");

    /** RFC 3454, table B.1, without U+200B, because SASLprep treats U+200B as a space. */
    private static final Pattern NOTHING =
            Pattern.compile("[\\u00ad\\u034f\\u1806\\u180b-\\u180d\\u200c\\u200d\\u2060\\ufe00-\\ufe0f\\ufeff]");

    private ScramFormat() {}

    static @Nullable ParsedHash read(String text) {
        if (!text.startsWith("SCRAM-SHA-")) {
            return null;
        }
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("scram");
        }
        String name = fields.group(1);
        String algorithm = "scram-sha" + name;
        Prf prf = name.equals("1") ? Prf.SHA1 : name.equals("256") ? Prf.SHA256 : Prf.SHA512;
        Digest digest = prf.digest();
        int iterations = HashText.number(fields.group(2));
        byte[] salt = Base64Alphabet.STANDARD.decode(fields.group(3));
        byte[] storedKey = keyOf(fields.group(4), digest);
        if (iterations < 1 || salt == null || storedKey == null || keyOf(fields.group(5), digest) == null) {
            return ParsedHash.damaged(algorithm);
        }
        if (iterations > Pbkdf2Format.MAX_ITERATIONS) {
            return ParsedHash.beyond(algorithm, Pbkdf2Format.MAX_ITERATIONS + " iterations");
        }
        return ParsedHash.needing(
                digest,
                new ParsedHash.Checkable(
                        Parameters.of(algorithm, "i", iterations),
                        Growth.none(),
                        password -> MessageDigest.isEqual(
                                storedKey,
                                storedKey(
                                        digest,
                                        prf.derive(prepared(password), salt, iterations, digest.hashBytes())))));
    }

    private static byte @Nullable [] keyOf(String text, Digest digest) {
        byte[] key = Base64Alphabet.STANDARD.decode(text);
        return key != null && key.length == digest.hashBytes() ? key : null;
    }

    private static byte[] storedKey(Digest digest, byte[] saltedPassword) {
        return digest.hash(digest.hmac(saltedPassword, CLIENT_KEY));
    }

    private static byte[] prepared(byte[] password) {
        String text = new String(password, StandardCharsets.UTF_8);
        String mapped = NOTHING.matcher(SPACES.matcher(text).replaceAll(" ")).replaceAll("");
        byte[] prepared = Normalizer.normalize(mapped, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
        // HMAC pads an empty key to the same bytes as a zero byte. If nothing is left, the original password is used.
        return prepared.length == 0 ? password : prepared;
    }
}
