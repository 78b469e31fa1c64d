package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PBKDF2 in the forms of further systems. Read only: each row is replaced at the account's next login.
 *
 * <p>A hash must have the tool's exact length, because a prefix of a derived key would also match.
 */
final class Pbkdf2Spellings {

    private static final String NOTE = "in another system's spelling";

    private static final Pattern LDAP = Pattern.compile("([0-9]{1,20})\\$([^$]{0,256})\\$([^$]{1,256})");
    private static final Pattern P5K2 = Pattern.compile(
            "(\\$p5k2\\$([0-9a-f]{0,8})\\$([^$]{0,256}))\\$(?:([A-Za-z0-9./]{32})|([A-Za-z0-9_-]{27}=))");
    private static final int DLITZ_ROUNDS = 400;
    private static final Pattern GRUB =
            Pattern.compile("grub\\.pbkdf2\\.sha512\\.([0-9]{1,20})\\.([0-9A-Fa-f]{0,256})\\.([0-9A-Fa-f]{128})");
    private static final Pattern WERKZEUG =
            Pattern.compile("pbkdf2:(sha1|sha256|sha512):([0-9]{1,20})\\$([^$]{1,128})\\$([0-9a-f]{40,128})");
    private static final Pattern ASP_NET = Pattern.compile("A[A-Za-z0-9+/]{65,81}==");

    private static final int ATLASSIAN_ROUNDS = 10_000;
    private static final int ASP_NET_2_ROUNDS = 1000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    private Pbkdf2Spellings() {}

    /** OpenLDAP's module {@code pw-pbkdf2}, and passlib's {@code ldap_pbkdf2}, after an id in braces. */
    static HashFormat ldap(Prf prf) {
        return text -> {
            Matcher fields = LDAP.matcher(text);
            if (!fields.matches()) {
                return ParsedHash.damaged(prf.algorithm());
            }
            return parsed(
                    prf,
                    HashText.number(fields.group(1)),
                    Base64Alphabet.DOTTED.decode(fields.group(2)),
                    Base64Alphabet.DOTTED.decode(fields.group(3)),
                    prf.digest().hashBytes());
        };
    }

    /** Atlassian's {@code {PKCS5S2}}. */
    static ParsedHash atlassian(String text) {
        byte[] bytes = Base64Alphabet.STANDARD.decode(text);
        if (bytes == null || bytes.length != SALT_BYTES + HASH_BYTES) {
            return ParsedHash.damaged("pbkdf2-sha1");
        }
        return parsed(
                Prf.SHA1,
                ATLASSIAN_ROUNDS,
                Arrays.copyOf(bytes, SALT_BYTES),
                Arrays.copyOfRange(bytes, SALT_BYTES, bytes.length),
                HASH_BYTES);
    }

    /**
     * {@code $p5k2$rounds$salt$hash} of two authors, with hexadecimal rounds. D. Litzenberger's form has 24 bytes of
     * hash. There, missing rounds mean 400, and the salt is the whole text before the hash. Cryptacular's form has 20
     * bytes in Base64url.
     */
    static @Nullable ParsedHash p5k2(String text) {
        if (!text.startsWith("$p5k2$")) {
            return null;
        }
        Matcher fields = P5K2.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("pbkdf2-sha1");
        }
        String hexadecimal = fields.group(2);
        int rounds = hexadecimal.isEmpty()
                ? DLITZ_ROUNDS
                : (int) Math.min(Long.parseLong(hexadecimal, 16), Integer.MAX_VALUE);
        return fields.group(4) != null
                ? parsed(
                        Prf.SHA1,
                        rounds,
                        fields.group(1).getBytes(StandardCharsets.UTF_8),
                        Base64Alphabet.DOTTED.decode(fields.group(4)),
                        24)
                : parsed(Prf.SHA1, rounds, base64Url(fields.group(3)), base64Url(fields.group(5)), 20);
    }

    private static byte @Nullable [] base64Url(String text) {
        return Base64Alphabet.STANDARD.decode(text.replace('-', '+').replace('_', '/'));
    }

    /** {@code grub-mkpasswd-pbkdf2}. */
    static @Nullable ParsedHash grub(String text) {
        if (!text.startsWith("grub.pbkdf2.")) {
            return null;
        }
        Matcher fields = GRUB.matcher(text);
        return fields.matches()
                ? parsed(
                        Prf.SHA512,
                        HashText.number(fields.group(1)),
                        HashText.hex(fields.group(2)),
                        HashText.hex(fields.group(3)),
                        Digest.SHA512.hashBytes())
                : ParsedHash.damaged("pbkdf2-sha512");
    }

    /** Werkzeug's {@code pbkdf2:sha256:1000000$salt$hash}, with a text salt. */
    static @Nullable ParsedHash werkzeug(String text) {
        if (!text.startsWith("pbkdf2:")) {
            return null;
        }
        Matcher fields = WERKZEUG.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("pbkdf2");
        }
        Prf prf = Pbkdf2Format.prf(fields.group(1));
        return parsed(
                prf,
                HashText.number(fields.group(2)),
                fields.group(3).getBytes(StandardCharsets.UTF_8),
                HashText.hex(fields.group(4)),
                prf.digest().hashBytes());
    }

    /**
     * ASP.NET Core Identity: Base64 of a version and its fields. Version 0 has salt and hash. Version 1 has three
     * numbers before the salt: the digest, the rounds and the length of the salt.
     */
    static @Nullable ParsedHash aspNet(String text) {
        byte[] bytes = ASP_NET.matcher(text).matches() ? Base64Alphabet.STANDARD.decode(text) : null;
        if (bytes == null) {
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        int version = fields.get();
        if (version == 0 && fields.remaining() == SALT_BYTES + HASH_BYTES) {
            return aspNet(Prf.SHA1, ASP_NET_2_ROUNDS, fields);
        }
        if (version != 1 || fields.remaining() != 3 * Integer.BYTES + SALT_BYTES + HASH_BYTES) {
            return null;
        }
        int digest = fields.getInt();
        int rounds = fields.getInt();
        if (digest < 0 || digest > 2 || fields.getInt() != SALT_BYTES) {
            return ParsedHash.damaged("pbkdf2");
        }
        return aspNet(digest == 0 ? Prf.SHA1 : digest == 1 ? Prf.SHA256 : Prf.SHA512, rounds, fields);
    }

    private static ParsedHash aspNet(Prf prf, int rounds, ByteBuffer fields) {
        byte[] salt = new byte[SALT_BYTES];
        byte[] hash = new byte[HASH_BYTES];
        fields.get(salt).get(hash);
        return parsed(prf, rounds, salt, hash, HASH_BYTES);
    }

    private static ParsedHash parsed(
            Prf prf, int rounds, byte @Nullable [] salt, byte @Nullable [] hash, int hashBytes) {
        if (hash == null || hash.length != hashBytes) {
            return ParsedHash.damaged(prf.algorithm());
        }
        ParsedHash parsed = Pbkdf2Format.parsed(prf, rounds, salt, hash);
        return parsed instanceof ParsedHash.Checkable checkable ? checkable.withNote(NOTE) : parsed;
    }
}
