package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.BcryptFormat.LongPasswords;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import dev.latchkey.auth.password.hash.ScryptFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The formats of other systems: formats with an id in braces (LDAP, Spring's older encoders), formats that identify
 * themselves, and two formats with another use of braces. An id is looked up unchanged and then in upper case. LDAP's
 * ids ignore case (RFC 2307 section 5.3), and Spring's do not: {@code {sha256}} is Spring's, {@code {SHA256}} LDAP's.
 * Safe for use by any number of threads.
 */
final class ForeignHashes implements HashFormat {

    private static final int MD5_HEX_CHARACTERS = 32;

    private final Map<String, List<HashFormat>> byId = new HashMap<>();
    private final List<HashFormat> bare = new ArrayList<>();
    private final List<HashFormat> inBraces = new ArrayList<>();
    private final HashFormat own;
    private final Set<DangerousFormat> dangerous;

    /**
     * @param own reads argon2 and bcrypt from other systems' forms
     * @param permits for the memory of hashes; null to name and reject rows of Firebase, because their library is
     *     missing
     * @param dangerous the enabled dangerous formats; rows of other dangerous formats are rejected with a reason
     */
    ForeignHashes(HashFormat own, @Nullable MemoryPermits permits, Set<DangerousFormat> dangerous) {
        this.own = own;
        this.dangerous = dangerous;
        HashFormat argon2 = text -> text.startsWith("$argon2") ? own.read(text) : null;
        HashFormat bcrypt = new BcryptFormat(LongPasswords.CUT);
        HashFormat shaCrypt = new ShaCryptFormat();
        HashFormat md5Crypt = new Md5CryptFormat();
        addSpring();
        addLdap(anyOf(bcrypt, shaCrypt, md5Crypt, UnreadFormats::inCrypt, UnreadFormats::read), argon2);
        addDangerous();
        bare.addAll(List.of(shaCrypt, md5Crypt, new PhpassFormat()));
        addDjango(bcrypt, argon2);
        bare.addAll(List.of(PreHashedBcryptFormats::passlib, PreHashedBcryptFormats::wordpress));
        bare.addAll(List.of(Pbkdf2Spellings::p5k2, Pbkdf2Spellings::grub, Pbkdf2Spellings::werkzeug));
        bare.addAll(List.of(IteratedDigestFormats::sha1Crypt, ScramFormat::read, firebase(permits)));
        bare.addAll(
                List.of(PlainDigestFormats.mysqlNative(), PlainDigestFormats::sqlServer, PlainDigestFormats::oracle));
        bare.addAll(List.of(UnreadFormats::read, Pbkdf2Spellings::aspNet));
        inBraces.add(IteratedDigestFormats::fshp);
        inBraces.add(new KeycloakFormat(argon2));
    }

    private static HashFormat firebase(@Nullable MemoryPermits permits) {
        return permits == null
                ? text -> FirebaseScryptFormat.begins(text)
                        ? ParsedHash.withoutBouncyCastle(FirebaseScryptFormat.ALGORITHM)
                        : null
                : new FirebaseScryptFormat(new ScryptFormat(permits));
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("{")) {
            return firstOf(bare, text);
        }
        ParsedHash parsed = firstOf(inBraces, text);
        if (parsed != null) {
            return parsed;
        }
        int end = text.indexOf('}');
        return end < 0 ? null : readById(text.substring(1, end), text.substring(end + 1));
    }

    private @Nullable ParsedHash readById(String id, String rest) {
        List<HashFormat> formats = byId.get(id);
        if (formats == null) {
            formats = byId.getOrDefault(id.toUpperCase(Locale.ROOT), List.of());
        }
        ParsedHash parsed = firstOf(formats, rest);
        return parsed == null && !formats.isEmpty() ? ParsedHash.damaged(id) : parsed;
    }

    private void addSpring() {
        add("sha256", PlainDigestFormats::springStandard);
        add("SHA-1", PlainDigestFormats.springDigest("sha1", Digest.SHA1));
        add("SHA-256", PlainDigestFormats.springDigest("sha256", Digest.SHA256));
        add("ldap", anyOf(own, this));
    }

    private void addLdap(HashFormat crypt, HashFormat argon2) {
        add("SSHA", PlainDigestFormats.ldapSalted("ssha", Digest.SHA1));
        add("SSHA256", PlainDigestFormats.ldapSalted("ssha256", Digest.SHA256));
        add("SSHA384", PlainDigestFormats.ldapSalted("ssha384", Digest.SHA384));
        add("SSHA512", PlainDigestFormats.ldapSalted("ssha512", Digest.SHA512));
        add("SMD5", PlainDigestFormats.ldapSalted("smd5", Digest.MD5));
        add("SHA", PlainDigestFormats.ldapUnsalted("sha1", Digest.SHA1));
        add("SHA256", PlainDigestFormats.ldapUnsalted("sha256", Digest.SHA256));
        add("SHA512", PlainDigestFormats.ldapUnsalted("sha512", Digest.SHA512));
        add("CRYPT", crypt);
        add("ARGON2", argon2);
        add("PBKDF2", Pbkdf2Spellings.ldap(Prf.SHA1));
        add("PBKDF2-SHA1", Pbkdf2Spellings.ldap(Prf.SHA1));
        add("PBKDF2-SHA256", Pbkdf2Spellings.ldap(Prf.SHA256));
        add("PBKDF2-SHA512", Pbkdf2Spellings.ldap(Prf.SHA512));
        add("PKCS5S2", Pbkdf2Spellings::atlassian);
    }

    private void addDjango(HashFormat bcrypt, HashFormat argon2) {
        bare.add(PreHashedBcryptFormats::django);
        bare.add(behind("bcrypt$", bcrypt, inner -> inner));
        bare.add(behind("argon2$", argon2, inner -> "$" + inner));
        bare.add(PlainDigestFormats.django("sha1", "django-sha1", Digest.SHA1));
        bare.add(text -> text.startsWith("md5$") || isMd5Hex(text) ? readDangerous(DangerousFormat.MD5, text) : null);
    }

    private void addDangerous() {
        add("noop", text -> readDangerous(DangerousFormat.PLAIN_TEXT, text));
        add("MD4", text -> readDangerous(DangerousFormat.MD4, text));
        add("MD5", text -> readDangerous(DangerousFormat.MD5, text));
    }

    private ParsedHash readDangerous(DangerousFormat format, String text) {
        return dangerous.contains(format) ? format.read(text) : new ParsedHash.Refused(format.id(), format.refusal());
    }

    /** Reads Django's form: a prefix before another format. */
    private static HashFormat behind(String prefix, HashFormat format, UnaryOperator<String> rest) {
        return text -> {
            if (!text.startsWith(prefix)) {
                return null;
            }
            ParsedHash parsed = format.read(rest.apply(text.substring(prefix.length())));
            if (parsed instanceof ParsedHash.Checkable checkable) {
                return checkable.withNote("in Django's spelling");
            }
            return parsed == null ? ParsedHash.damaged(prefix.substring(0, prefix.length() - 1)) : parsed;
        };
    }

    private static boolean isMd5Hex(String text) {
        return text.length() == MD5_HEX_CHARACTERS && HashText.hex(text) != null;
    }

    private void add(String id, HashFormat format) {
        byId.computeIfAbsent(id, unused -> new ArrayList<>()).add(format);
    }

    private static HashFormat anyOf(HashFormat... formats) {
        List<HashFormat> list = List.of(formats);
        return text -> firstOf(list, text);
    }

    private static @Nullable ParsedHash firstOf(List<HashFormat> formats, String text) {
        for (HashFormat format : formats) {
            ParsedHash parsed = format.read(text);
            if (parsed != null) {
                return parsed;
            }
        }
        return null;
    }
}
