package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Growth;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Formats with almost no protection for a password. Each is read only if enabled by name, and never written.
 *
 * <p>Only for a migration: disable the format again after all rows are replaced.
 */
public enum DangerousFormat {
    /** Spring's {@code {noop}}: the plain password. */
    PLAIN_TEXT("noop", "the password itself is stored: who reads the table has every password") {
        @Override
        ParsedHash read(String text) {
            byte[] stored = text.getBytes(StandardCharsets.UTF_8);
            return new ParsedHash.Checkable(
                    Parameters.none("plain-text"), Growth.none(), password -> MessageDigest.isEqual(stored, password));
        }
    },

    /** Spring's {@code {MD4}}, a single MD4. */
    MD4("md4", "MD4 is broken, and a graphics card tries more than fifty billion passwords a second") {
        @Override
        ParsedHash read(String text) {
            PasswordEncoder encoder = springMd4();
            return new ParsedHash.Checkable(
                    Parameters.none("md4"),
                    Growth.none(),
                    password -> encoder.matches(new String(password, StandardCharsets.UTF_8), text));
        }
    },

    /** A single MD5 in the forms of Spring, LDAP and Django. */
    MD5("md5", "MD5 is broken, and a graphics card tries more than fifty billion passwords a second") {
        @Override
        ParsedHash read(String text) {
            for (HashFormat format : MD5_SPELLINGS) {
                ParsedHash parsed = format.read(text);
                if (parsed != null) {
                    return parsed;
                }
            }
            return ParsedHash.damaged("md5");
        }
    };

    private static final HashFormat[] MD5_SPELLINGS = {
        PlainDigestFormats.springDigest("md5", Digest.MD5),
        PlainDigestFormats.ldapUnsalted("md5", Digest.MD5),
        PlainDigestFormats.django("md5", "md5", Digest.MD5)
    };

    private final String id;
    private final String danger;

    DangerousFormat(String id, String danger) {
        this.id = id;
        this.danger = danger;
    }

    /**
     * The weakness of the format.
     *
     * @return a clause for logs and messages
     */
    public String danger() {
        return danger;
    }

    abstract ParsedHash read(String text);

    /** The id in braces, in lower case. */
    String id() {
        return id;
    }

    /**
     * All formats by their ids.
     *
     * @return with the ids in lower case; a new map
     */
    public static Map<String, DangerousFormat> byId() {
        Map<String, DangerousFormat> byId = new TreeMap<>();
        for (DangerousFormat format : values()) {
            byId.put(format.id, format);
        }
        return byId;
    }

    /** The reason for rejecting a row of this format while the format is disabled. */
    String refusal() {
        return String.format(
                Locale.ROOT,
                "%s is not read unless asked for: %s; to read old rows, call ForeignFormats.readingDangerously(DangerousFormat.%s)",
                id,
                danger,
                name());
    }

    /** Spring deprecates the class as insecure, and this type states the danger too. */
    @SuppressWarnings("deprecation")
    private static PasswordEncoder springMd4() {
        return new org.springframework.security.crypto.password.Md4PasswordEncoder();
    }
}
