package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.BcryptFormat.LongPasswords;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.ParsedHash.PreHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * bcrypt of a digest of the password, which avoids the limit of 72 bytes. Read only.
 *
 * <ul>
 *   <li>Django's {@code bcrypt_sha256$$2b$12$…}: SHA-256 in hexadecimal.
 *   <li>passlib's {@code $bcrypt-sha256$v=2,t=2b,r=12$salt$hash}: HMAC-SHA-256 with the salt's text as key, in Base64.
 *       The first version {@code $bcrypt-sha256$2b,12$salt$hash}: SHA-256 in Base64.
 *   <li>WordPress's {@code $wp$2y$10$…}, since version 6.8: HMAC-SHA-384 with a fixed text as key, in Base64.
 * </ul>
 */
final class PreHashedBcryptFormats {

    private static final String DJANGO = "bcrypt_sha256$";
    private static final String WORDPRESS = "$wp";
    private static final Pattern PASSLIB = Pattern.compile(
            "\\$bcrypt-sha256\\$(?:v=(2),t=(2[ab]),r=([0-9]{1,2})|(2[ab]),([0-9]{1,2}))\\$([./A-Za-z0-9]{22})\\$([./A-Za-z0-9]{31})");

    private static final byte[] WORDPRESS_KEY = "wp-sha384".getBytes(StandardCharsets.US_ASCII);
    private static final HashFormat BCRYPT = new BcryptFormat(LongPasswords.CUT);

    private PreHashedBcryptFormats() {}

    static @Nullable ParsedHash django(String text) {
        return text.startsWith(DJANGO)
                ? after(
                        "django-bcrypt-sha256",
                        text.substring(DJANGO.length()),
                        new PreHash(Digest.SHA256, 2 * Digest.SHA256.hashBytes(), PreHashedBcryptFormats::sha256Hex))
                : null;
    }

    static @Nullable ParsedHash wordpress(String text) {
        return text.startsWith("$wp$2")
                ? after(
                        "wordpress-bcrypt",
                        text.substring(WORDPRESS.length()),
                        new PreHash(
                                Digest.SHA384,
                                base64Bytes(Digest.SHA384),
                                password -> base64(Digest.SHA384.hmac(WORDPRESS_KEY, password))))
                : null;
    }

    static @Nullable ParsedHash passlib(String text) {
        if (!text.startsWith("$bcrypt-sha256$")) {
            return null;
        }
        String algorithm = "passlib-bcrypt-sha256";
        Matcher fields = PASSLIB.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged(algorithm);
        }
        boolean keyed = fields.group(1) != null;
        int cost = HashText.number(fields.group(keyed ? 3 : 5));
        String bcrypt = "$" + fields.group(keyed ? 2 : 4) + (cost < 10 ? "$0" : "$") + cost + "$" + fields.group(6)
                + fields.group(7);
        byte[] salt = fields.group(6).getBytes(StandardCharsets.US_ASCII);
        return after(
                algorithm,
                bcrypt,
                new PreHash(
                        Digest.SHA256,
                        base64Bytes(Digest.SHA256),
                        password -> base64(keyed ? Digest.SHA256.hmac(salt, password) : Digest.SHA256.hash(password))));
    }

    private static ParsedHash after(String algorithm, String bcrypt, PreHash step) {
        ParsedHash parsed = BCRYPT.read(bcrypt);
        if (parsed instanceof ParsedHash.Checkable hash) {
            return hash.after(algorithm, step, "in another system's spelling");
        }
        return parsed == null ? ParsedHash.damaged(algorithm) : parsed;
    }

    private static byte[] sha256Hex(byte[] password) {
        return HexFormat.of().formatHex(Digest.SHA256.hash(password)).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] base64(byte[] digest) {
        return Base64.getEncoder().encode(digest);
    }

    private static int base64Bytes(Digest digest) {
        return (digest.hashBytes() + 2) / 3 * 4;
    }
}
