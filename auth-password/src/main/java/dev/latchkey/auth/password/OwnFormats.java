package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Argon2Format;
import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.BcryptFormat.LongPasswords;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import dev.latchkey.auth.password.hash.ScryptFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The formats of the four algorithms for new hashes: with Spring's id in braces, and formats that identify themselves.
 * Ids are case-sensitive. Safe for use by any number of threads.
 */
final class OwnFormats implements HashFormat {

    private final Map<String, HashFormat> byId = new HashMap<>();
    private final List<HashFormat> bare;

    private OwnFormats(HashFormat argon2, HashFormat scrypt) {
        HashFormat pbkdf2 = new Pbkdf2Format();
        bare = List.of(new BcryptFormat(LongPasswords.CUT), argon2, pbkdf2, scrypt);
        byId.put("bcrypt", new BcryptFormat(LongPasswords.REFUSED));
        for (String id : List.of("argon2", "argon2@SpringSecurity_v5_8", "argon2id")) {
            byId.put(id, argon2);
        }
        for (String id : List.of("scrypt", "scrypt@SpringSecurity_v5_8")) {
            byId.put(id, scrypt);
        }
        for (String id : List.of("pbkdf2-sha256", "pbkdf2-sha512")) {
            byId.put(id, pbkdf2);
        }
        byId.put("pbkdf2", Pbkdf2Format.spring(Prf.SHA1, 185_000, 8));
        byId.put("pbkdf2@SpringSecurity_v5_8", Pbkdf2Format.spring(Prf.SHA256, 310_000, 16));
    }

    /**
     * @param permits for the memory of hashes; null to name and reject rows of argon2 and scrypt, because their library
     *     is missing
     */
    static OwnFormats within(@Nullable MemoryPermits permits) {
        return permits == null
                ? new OwnFormats(
                        unavailable("argon2", "$argon2"), unavailable("scrypt", "$scrypt$", "scrypt$", "scrypt:"))
                : new OwnFormats(new Argon2Format(permits), new ScryptFormat(permits));
    }

    private static HashFormat unavailable(String algorithm, String... starts) {
        ParsedHash refused = ParsedHash.withoutBouncyCastle(algorithm);
        return text -> Stream.of(starts).anyMatch(text::startsWith) ? refused : null;
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("{")) {
            return firstOf(text);
        }
        int end = text.indexOf('}');
        String id = end < 0 ? "" : text.substring(1, end);
        HashFormat format = byId.get(id);
        if (format == null) {
            return null;
        }
        ParsedHash parsed = format.read(text.substring(end + 1));
        return parsed == null ? ParsedHash.damaged(id) : parsed;
    }

    private @Nullable ParsedHash firstOf(String text) {
        for (HashFormat format : bare) {
            ParsedHash parsed = format.read(text);
            if (parsed != null) {
                return parsed;
            }
        }
        return null;
    }
}
