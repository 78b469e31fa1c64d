package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A credential from a Keycloak export: a JSON object with {@code secretData} and {@code credentialData}, two strings
 * with JSON content. Read only, for PBKDF2 and argon2.
 *
 * <p>The members are found by name, and other content is ignored. A user's label cannot imitate a member, because
 * quotation marks within a string are escaped.
 */
final class KeycloakFormat implements HashFormat {

    private static final Pattern OBJECT = Pattern.compile("\\{\\s{0,8}\"");
    private static final Pattern VALUE = string("value", "([A-Za-z0-9+/=]{1,128})");
    private static final Pattern SALT = string("salt", "([A-Za-z0-9+/=]{1,128})");
    private static final Pattern ALGORITHM = string("algorithm", "([a-z0-9-]{1,32})");
    private static final Pattern ITERATIONS = Pattern.compile("\"hashIterations\"\\s{0,8}:\\s{0,8}([0-9]{1,20})");
    private static final int LONG_HASH_BYTES = 64;

    private final HashFormat argon2;

    KeycloakFormat(HashFormat argon2) {
        this.argon2 = argon2;
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!OBJECT.matcher(text).lookingAt()) {
            return null;
        }
        if (!text.endsWith("}")) {
            return ParsedHash.damaged("keycloak");
        }
        String secret = textOf("secretData", text);
        String credential = textOf("credentialData", text);
        String algorithm = find(ALGORITHM, credential);
        int iterations = HashText.number(find(ITERATIONS, credential));
        String salt = find(SALT, secret);
        String value = find(VALUE, secret);
        ParsedHash parsed = switch (algorithm) {
            case "pbkdf2" -> pbkdf2(Prf.SHA1, iterations, salt, value);
            case "pbkdf2-sha256" -> pbkdf2(Prf.SHA256, iterations, salt, value);
            case "pbkdf2-sha512" -> pbkdf2(Prf.SHA512, iterations, salt, value);
            case "argon2" -> argon2.read(phc(credential, iterations, salt, value));
            default -> ParsedHash.damaged("keycloak");
        };
        return parsed instanceof ParsedHash.Checkable hash ? hash.withNote("in another system's spelling") : parsed;
    }

    /** The hash is as long as the digest, or 64 bytes with any digest, as written by Keycloak before version 24. */
    private static ParsedHash pbkdf2(Prf prf, int iterations, String salt, String value) {
        byte[] hash = Base64Alphabet.STANDARD.decode(value);
        return hash == null || (hash.length != prf.digest().hashBytes() && hash.length != LONG_HASH_BYTES)
                ? ParsedHash.damaged(prf.algorithm())
                : Pbkdf2Format.parsed(prf, iterations, Base64Alphabet.STANDARD.decode(salt), hash);
    }

    private static String phc(String credential, int iterations, String salt, String value) {
        String version = listed("version", credential).equals("1.0") ? "16" : "19";
        return "$argon2" + listed("type", credential) + "$v=" + version + "$m=" + listed("memory", credential) + ",t="
                + iterations + ",p=" + listed("parallelism", credential) + "$" + salt + "$" + value;
    }

    /** The only element of a list of strings, the form of additional parameters. */
    private static String listed(String name, String json) {
        return find(
                Pattern.compile("\"" + name + "\"\\s{0,8}:\\s{0,8}\\[\\s{0,8}\"([a-z0-9.]{1,20})\"\\s{0,8}\\]"), json);
    }

    /** The start of a member with a string value, up to the opening quotation mark. */
    private static Pattern start(String name) {
        return Pattern.compile("\"" + name + "\"\\s{0,8}:\\s{0,8}\"");
    }

    private static Pattern string(String name, String value) {
        return Pattern.compile(start(name) + value + "\"");
    }

    /** The text of the first group; empty if the pattern does not match. Empty fields are not allowed. */
    private static String find(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }

    /**
     * The string value of this member without escapes; empty if there is none. From the escapes of RFC 8259 section 7,
     * such data contains only a backslash before a literal character.
     */
    private static String textOf(String member, String json) {
        Matcher start = start(member).matcher(json);
        return start.find() ? untilQuote(json, start.end()) : "";
    }

    private static String untilQuote(String json, int start) {
        StringBuilder text = new StringBuilder();
        for (int i = start; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '"') {
                return text.toString();
            }
            boolean escape = c == '\\' && i + 1 < json.length();
            text.append(escape ? json.charAt(++i) : c);
        }
        return "";
    }
}
