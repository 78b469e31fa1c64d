package dev.latchkey.auth.password;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Passwords hashed once with a fast digest, as LDAP, MySQL, Django and old Spring applications stored them: read, never written,
 * and replaced at the next login. A graphics card tries ten billion a second.
 */
final class PlainDigestFormats {

    private static final Pattern MYSQL = Pattern.compile("\\*[0-9A-Fa-f]{40}");
    private static final Pattern SPRING_SALTED = Pattern.compile("(\\{[^{}]{0,128}\\})?([0-9a-fA-F]{32,64})");
    private static final Pattern DJANGO = Pattern.compile("(md5|sha1)\\$([^$]{0,128})\\$([0-9a-f]{32,40})");
    private static final int MAX_LDAP_SALT_BYTES = 64;
    private static final int SPRING_STANDARD_SALT_BYTES = 8;
    private static final int SPRING_STANDARD_ROUNDS = 1024;

    private PlainDigestFormats() {}

    /** RFC 2307's schemes and their salted kin: Base64 of the digest of password and salt, then the salt. */
    static HashFormat ldapSalted(String algorithm, String digest) {
        int length = Digests.of(digest).getDigestLength();
        return text -> {
            byte[] bytes = Base64Alphabet.STANDARD.decode(text);
            if (bytes == null || bytes.length <= length || bytes.length > length + MAX_LDAP_SALT_BYTES) {
                return Reading.damaged(algorithm);
            }
            byte[] salt = Arrays.copyOfRange(bytes, length, bytes.length);
            return salted(algorithm, digest, Arrays.copyOf(bytes, length), salt);
        };
    }

    /** RFC 2307's {@code {SHA}}; null for another length, as Spring writes other things behind the same ids. */
    static HashFormat ldapUnsalted(String algorithm, String digest) {
        int length = Digests.of(digest).getDigestLength();
        return text -> {
            byte[] bytes = Base64Alphabet.STANDARD.decode(text);
            return bytes == null || bytes.length != length ? null : salted(algorithm, digest, bytes, new byte[0]);
        };
    }

    /** Spring's {@code MessageDigestPasswordEncoder}: hexadecimal behind a salt in braces, which are part of the salt. */
    static HashFormat springDigest(String algorithm, String digest) {
        return text -> {
            Matcher fields = SPRING_SALTED.matcher(text);
            byte[] hash = fields.matches() ? HashText.hex(fields.group(2)) : null;
            if (hash == null || hash.length != Digests.of(digest).getDigestLength()) {
                return null;
            }
            String salt = fields.group(1) == null ? "" : fields.group(1);
            return salted(algorithm, digest, hash, salt.getBytes(StandardCharsets.UTF_8));
        };
    }

    /** Spring's {@code StandardPasswordEncoder}: SHA-256, 1024 times over, of salt and password. */
    static Reading springStandard(String text) {
        String algorithm = "sha256-1024";
        byte[] bytes = HashText.hex(text);
        if (bytes == null || bytes.length != SPRING_STANDARD_SALT_BYTES + 32) {
            return Reading.damaged(algorithm);
        }
        byte[] salt = Arrays.copyOf(bytes, SPRING_STANDARD_SALT_BYTES);
        byte[] hash = Arrays.copyOfRange(bytes, SPRING_STANDARD_SALT_BYTES, bytes.length);
        return new Reading.Checkable(Parameters.none(algorithm), password -> {
            MessageDigest digest = Digests.of("SHA-256");
            digest.update(salt);
            byte[] sum = digest.digest(password);
            for (int i = 1; i < SPRING_STANDARD_ROUNDS; i++) {
                sum = digest.digest(sum);
            }
            return MessageDigest.isEqual(hash, sum);
        });
    }

    /** MySQL's {@code mysql_native_password}: SHA-1 twice, without salt. */
    static HashFormat mysqlNative() {
        return text -> {
            if (!MYSQL.matcher(text).matches()) {
                return null;
            }
            byte[] hash = HashText.hex(text.substring(1));
            return new Reading.Checkable(Parameters.none("mysql-native"), password -> {
                MessageDigest digest = Digests.of("SHA-1");
                return MessageDigest.isEqual(hash, digest.digest(digest.digest(password)));
            });
        };
    }

    /** Django's {@code sha1$salt$hex} or {@code md5$salt$hex}: the salt is text, and comes first. */
    static HashFormat django(String name, String algorithm, String digest) {
        return text -> {
            Matcher fields = DJANGO.matcher(text);
            if (!fields.matches() || !fields.group(1).equals(name)) {
                return null;
            }
            byte[] salt = fields.group(2).getBytes(StandardCharsets.UTF_8);
            byte[] hash = HashText.hex(fields.group(3));
            if (hash == null || hash.length != Digests.of(digest).getDigestLength()) {
                return Reading.damaged(algorithm);
            }
            return new Reading.Checkable(Parameters.none(algorithm), password -> {
                MessageDigest first = Digests.of(digest);
                first.update(salt);
                return MessageDigest.isEqual(hash, first.digest(password));
            });
        };
    }

    private static Reading salted(String algorithm, String digest, byte[] hash, byte[] salt) {
        return new Reading.Checkable(Parameters.none(algorithm), password -> {
            MessageDigest sum = Digests.of(digest);
            sum.update(password);
            return MessageDigest.isEqual(hash, sum.digest(salt));
        });
    }
}
