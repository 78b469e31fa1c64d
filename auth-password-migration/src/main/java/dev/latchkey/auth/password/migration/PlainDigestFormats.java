package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Passwords hashed once with a fast digest, from LDAP, MySQL, Django and old Spring applications. Read, never written,
 * and replaced at the next login. A graphics card tries ten billion a second.
 */
final class PlainDigestFormats {

    private static final Pattern MYSQL = Pattern.compile("\\*[0-9A-Fa-f]{40}");
    private static final Pattern SPRING_SALTED = Pattern.compile("(\\{[^{}]{0,128}\\})?([0-9a-fA-F]{32,64})");
    private static final Pattern DJANGO = Pattern.compile("(md5|sha1)\\$([^$]{0,128})\\$([0-9a-f]{32,40})");
    private static final int MAX_LDAP_SALT_BYTES = 64;
    private static final int SQL_SERVER_SALT_BYTES = 4;
    private static final int ORACLE_SALT_BYTES = 10;
    private static final int SPRING_STANDARD_SALT_BYTES = 8;
    private static final int SPRING_STANDARD_ROUNDS = 1024;

    private PlainDigestFormats() {}

    /** Salted formats in the style of RFC 2307: Base64 of the digest of password and salt, then the salt. */
    static HashFormat ldapSalted(String algorithm, Digest digest) {
        int length = digest.hashBytes();
        return text -> {
            byte[] bytes = Base64Alphabet.STANDARD.decode(text);
            if (bytes == null || bytes.length <= length || bytes.length > length + MAX_LDAP_SALT_BYTES) {
                return ParsedHash.damaged(algorithm);
            }
            byte[] salt = Arrays.copyOfRange(bytes, length, bytes.length);
            return salted(algorithm, digest, Arrays.copyOf(bytes, length), salt);
        };
    }

    /** RFC 2307's {@code {SHA}}; null for another length, because Spring uses the same ids for other formats. */
    static HashFormat ldapUnsalted(String algorithm, Digest digest) {
        int length = digest.hashBytes();
        return text -> {
            byte[] bytes = Base64Alphabet.STANDARD.decode(text);
            return bytes == null || bytes.length != length ? null : salted(algorithm, digest, bytes, new byte[0]);
        };
    }

    /**
     * Spring's {@code MessageDigestPasswordEncoder}: hexadecimal after a salt in braces. The braces are part of the
     * salt.
     */
    static HashFormat springDigest(String algorithm, Digest digest) {
        return text -> {
            Matcher fields = SPRING_SALTED.matcher(text);
            byte[] hash = fields.matches() ? HashText.hex(fields.group(2)) : null;
            if (hash == null || hash.length != digest.hashBytes()) {
                return null;
            }
            String salt = fields.group(1) == null ? "" : fields.group(1);
            return salted(algorithm, digest, hash, salt.getBytes(StandardCharsets.UTF_8));
        };
    }

    /** Spring's {@code StandardPasswordEncoder}: SHA-256 of salt and password, 1024 times. */
    static ParsedHash springStandard(String text) {
        String algorithm = "sha256-1024";
        byte[] bytes = HashText.hex(text);
        if (bytes == null || bytes.length != SPRING_STANDARD_SALT_BYTES + 32) {
            return ParsedHash.damaged(algorithm);
        }
        byte[] salt = Arrays.copyOf(bytes, SPRING_STANDARD_SALT_BYTES);
        byte[] hash = Arrays.copyOfRange(bytes, SPRING_STANDARD_SALT_BYTES, bytes.length);
        return comparing(algorithm, Digest.SHA256, hash, password -> {
            MessageDigest digest = Digest.SHA256.start();
            digest.update(salt);
            byte[] sum = digest.digest(password);
            for (int i = 1; i < SPRING_STANDARD_ROUNDS; i++) {
                sum = digest.digest(sum);
            }
            return sum;
        });
    }

    /** MySQL's {@code mysql_native_password}: SHA-1 twice, without salt. */
    static HashFormat mysqlNative() {
        return text -> {
            if (!MYSQL.matcher(text).matches()) {
                return null;
            }
            byte[] hash = HexFormat.of().parseHex(text, 1, text.length());
            return comparing(
                    "mysql-native", Digest.SHA1, hash, password -> Digest.SHA1.hash(Digest.SHA1.hash(password)));
        };
    }

    /**
     * SQL Server's {@code 0x0100}, up to version 2008: four bytes of salt, then SHA-1 of the password in UTF-16 and of
     * the salt.
     */
    static @Nullable ParsedHash sqlServer(String text) {
        if (!text.startsWith("0x0100")) {
            return null;
        }
        byte[] bytes = HashText.hex(text.substring(6));
        if (bytes == null || bytes.length != SQL_SERVER_SALT_BYTES + Digest.SHA1.hashBytes()) {
            return ParsedHash.damaged("mssql2005");
        }
        byte[] salt = Arrays.copyOf(bytes, SQL_SERVER_SALT_BYTES);
        byte[] hash = Arrays.copyOfRange(bytes, SQL_SERVER_SALT_BYTES, bytes.length);
        return comparing("mssql2005", Digest.SHA1, hash, password -> Digest.SHA1.hash(utf16(password), salt));
    }

    private static byte[] utf16(byte[] password) {
        return new String(password, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16LE);
    }

    /** Oracle's {@code S:} of version 11: SHA-1 of password and salt, then the salt. */
    static @Nullable ParsedHash oracle(String text) {
        if (!text.startsWith("S:")) {
            return null;
        }
        byte[] bytes = HashText.hex(text.substring(2));
        if (bytes == null || bytes.length != Digest.SHA1.hashBytes() + ORACLE_SALT_BYTES) {
            return ParsedHash.damaged("oracle11");
        }
        byte[] hash = Arrays.copyOf(bytes, Digest.SHA1.hashBytes());
        return salted("oracle11", Digest.SHA1, hash, Arrays.copyOfRange(bytes, hash.length, bytes.length));
    }

    /** Django's {@code sha1$salt$hex} or {@code md5$salt$hex}: the salt is text and precedes the password. */
    static HashFormat django(String name, String algorithm, Digest digest) {
        return text -> {
            Matcher fields = DJANGO.matcher(text);
            if (!fields.matches() || !fields.group(1).equals(name)) {
                return null;
            }
            byte[] salt = fields.group(2).getBytes(StandardCharsets.UTF_8);
            byte[] hash = HashText.hex(fields.group(3));
            if (hash == null || hash.length != digest.hashBytes()) {
                return ParsedHash.damaged(algorithm);
            }
            return comparing(algorithm, digest, hash, password -> digest.hash(salt, password));
        };
    }

    private static ParsedHash salted(String algorithm, Digest digest, byte[] hash, byte[] salt) {
        return comparing(algorithm, digest, hash, password -> digest.hash(password, salt));
    }

    /**
     * Compares a digest of the password. The rounds are few, so the password's length is negligible beside the work of
     * a new hash.
     */
    private static ParsedHash comparing(String algorithm, Digest digest, byte[] hash, UnaryOperator<byte[]> sum) {
        return ParsedHash.needing(
                digest,
                new ParsedHash.Checkable(
                        Parameters.none(algorithm),
                        Growth.none(),
                        password -> MessageDigest.isEqual(hash, sum.apply(password))));
    }
}
