package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.ScryptFormat;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Firebase's scrypt (github.com/firebase/scrypt): the derived key encrypts the project's signer key, and the result is
 * the hash. Read only.
 *
 * <p>An export contains the hash and the salt. The project's console shows the other values. A migration writes all
 * values into one text, in one of two forms. Supabase's form is
 * {@code $fbscrypt$v=1,n=14,r=8,p=1,ss=separator,sk=signer$salt$hash}. Ory's form is
 * {@code $firescrypt$ln=14,r=8,p=1$salt$hash$separator$signer}. Salt, hash, separator and signer are Base64.
 */
final class FirebaseScryptFormat implements HashFormat {

    static final String ALGORITHM = "firebase-scrypt";
    private static final String BASE64 = "([A-Za-z0-9+/]{0,128}={0,2})";
    private static final Pattern SUPABASE =
            Pattern.compile("\\$fbscrypt\\$v=1,n=([0-9]{1,20}),r=([0-9]{1,20}),p=([0-9]{1,20}),ss=" + BASE64 + ",sk="
                    + BASE64 + "\\$" + BASE64 + "\\$" + BASE64);
    private static final Pattern ORY =
            Pattern.compile("\\$firescrypt\\$ln=([0-9]{1,20}),r=([0-9]{1,20}),p=([0-9]{1,20})\\$" + BASE64 + "\\$"
                    + BASE64 + "\\$" + BASE64 + "\\$" + BASE64);
    private static final int KEY_BYTES = 32;
    private static final int LEAST_SIGNER_BYTES = 32;

    private final ScryptFormat scrypt;

    FirebaseScryptFormat(ScryptFormat scrypt) {
        this.scrypt = scrypt;
    }

    static boolean begins(String text) {
        return text.startsWith("$fbscrypt$") || text.startsWith("$firescrypt$");
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!begins(text)) {
            return null;
        }
        Matcher supabase = SUPABASE.matcher(text);
        if (supabase.matches()) {
            return parsed(supabase, 6, 4, 5, 7);
        }
        Matcher ory = ORY.matcher(text);
        return ory.matches() ? parsed(ory, 4, 6, 7, 5) : ParsedHash.damaged(ALGORITHM);
    }

    private ParsedHash parsed(Matcher fields, int saltGroup, int separatorGroup, int signerGroup, int hashGroup) {
        byte[] salt = Base64Alphabet.STANDARD.decode(fields.group(saltGroup));
        byte[] separator = Base64Alphabet.STANDARD.decode(fields.group(separatorGroup));
        byte[] signer = Base64Alphabet.STANDARD.decode(fields.group(signerGroup));
        byte[] hash = Base64Alphabet.STANDARD.decode(fields.group(hashGroup));
        // The hash is as long as the signer key. A hash of another length is damaged, and an empty hash would match
        // every password.
        if (salt == null
                || separator == null
                || signer == null
                || hash == null
                || signer.length < LEAST_SIGNER_BYTES
                || hash.length != signer.length) {
            return ParsedHash.damaged(ALGORITHM);
        }
        byte[] whole = new byte[salt.length + separator.length];
        System.arraycopy(salt, 0, whole, 0, salt.length);
        System.arraycopy(separator, 0, whole, salt.length, separator.length);
        return scrypt.deriving(
                ALGORITHM,
                HashText.number(fields.group(1)),
                HashText.number(fields.group(2)),
                HashText.number(fields.group(3)),
                whole,
                KEY_BYTES,
                key -> MessageDigest.isEqual(hash, Aes.inCounterMode(key, signer)));
    }
}
