package dev.latchkey.auth.password.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PBKDF2 in four forms. This library writes the PHC string {@code $pbkdf2-sha256$i=600000$salt$hash}. Also read are
 * passlib's {@code $pbkdf2-sha256$29000$salt$hash}, Django's {@code pbkdf2_sha256$870000$salt$hash} with a text salt,
 * and Spring's form. Spring writes salt and hash in hexadecimal, and the id in braces stands for the other parameters.
 * Safe for use by any number of threads.
 */
public final class Pbkdf2Format implements HashFormat {

    /** The most rounds of all blocks: about 1.4 seconds of one core with SHA-256, and 3.4 with SHA-512. */
    public static final int MAX_ITERATIONS = 10_000_000;

    private static final Pattern TEXT =
            Pattern.compile("(?:\\$pbkdf2(|-sha1|-sha256|-sha512)\\$(i=)?|pbkdf2_(sha1|sha256|sha512)\\$)([0-9]{1,20})"
                    + "(?:,l=([0-9]{1,4}))?\\$([^$]{1,256})\\$([^$]{1,256})");
    private static final int WRITTEN_HASH_BYTES = 32;

    /**
     * A digest for PBKDF2.
     *
     * @param algorithm the name in this library: {@code pbkdf2-sha256}
     * @param pbkdf2 PBKDF2 with HMAC of this digest
     * @param minIterations OWASP's minimum for new hashes
     */
    public record Prf(String algorithm, Pbkdf2 pbkdf2, int minIterations) {

        /** PBKDF2 with HMAC-SHA-1, only for reading. */
        public static final Prf SHA1 = new Prf("pbkdf2-sha1", Pbkdf2.SHA1, 1_300_000);

        /** PBKDF2 with HMAC-SHA-256. */
        public static final Prf SHA256 = new Prf("pbkdf2-sha256", Pbkdf2.SHA256, 600_000);

        /** PBKDF2 with HMAC-SHA-512. */
        public static final Prf SHA512 = new Prf("pbkdf2-sha512", Pbkdf2.SHA512, 220_000);

        /**
         * HMAC's digest.
         *
         * @return also if this JVM lacks the digest
         */
        public Digest digest() {
            return pbkdf2.digest();
        }

        /**
         * The costs of a row.
         *
         * @param iterations rounds
         * @return with the cost {@code i}
         */
        public Parameters parameters(int iterations) {
            return Parameters.of(algorithm, "i", iterations);
        }

        /**
         * The derived key (RFC 8018 section 5.2).
         *
         * @param password not changed
         * @param salt not changed
         * @param iterations at least 1
         * @param length of the key in bytes, at least 1
         * @return a new array
         */
        public byte[] derive(byte[] password, byte[] salt, int iterations, int length) {
            return pbkdf2.derive(password, salt, iterations, length);
        }
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("$pbkdf2") && !text.startsWith("pbkdf2_")) {
            return null;
        }
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("pbkdf2");
        }
        boolean django = fields.group(3) != null;
        boolean phc = fields.group(2) != null;
        Prf prf = prf(django ? fields.group(3) : fields.group(1));
        Base64Alphabet alphabet = django || phc ? Base64Alphabet.STANDARD : Base64Alphabet.DOTTED;
        byte[] salt = django ? fields.group(6).getBytes(StandardCharsets.UTF_8) : alphabet.decode(fields.group(6));
        byte[] hash = alphabet.decode(fields.group(7));
        if (hash == null || !isWhole(hash.length, prf, phc, fields.group(5))) {
            return ParsedHash.damaged(prf.algorithm);
        }
        return parsed(prf, HashText.number(fields.group(4)), salt, hash);
    }

    /**
     * Whether the hash has a length that tools write. A prefix of a derived key would also match the right password,
     * and many other passwords.
     *
     * <p>passlib, Django and npm's {@code @phc/pbkdf2} write the digest's full length. PHC strings of Rust's
     * {@code pbkdf2} and of this library have 32 bytes for SHA-512 too. A PHC string may state the length as {@code l}.
     */
    private static boolean isWhole(int bytes, Prf prf, boolean phc, @Nullable String declared) {
        return (bytes == prf.pbkdf2.hashBytes() || (phc && bytes == WRITTEN_HASH_BYTES))
                && (declared == null || bytes == HashText.number(declared));
    }

    /**
     * The digest at the end of a name.
     *
     * @param name such as {@code pbkdf2_sha256}
     * @return the digest for {@code sha256} or {@code sha512}; {@link Prf#SHA1} for every other name
     */
    public static Prf prf(String name) {
        return name.endsWith("sha256") ? Prf.SHA256 : name.endsWith("sha512") ? Prf.SHA512 : Prf.SHA1;
    }

    /**
     * Creates a hash from the fields of a row.
     *
     * @param prf its digest
     * @param iterations of the row
     * @param salt null if the salt could not be decoded
     * @param hash with a length that its tool writes, checked by the caller
     * @return a rejection if a field is damaged, the rounds are above the ceiling, or this JVM lacks the digest
     */
    public static ParsedHash parsed(Prf prf, int iterations, byte @Nullable [] salt, byte[] hash) {
        if (iterations < 1 || salt == null) {
            return ParsedHash.damaged(prf.algorithm);
        }
        int blocks = prf.pbkdf2.blocks(hash.length);
        if ((long) iterations * blocks > MAX_ITERATIONS) {
            return ParsedHash.beyond(prf.algorithm, MAX_ITERATIONS + " iterations in all blocks");
        }
        return ParsedHash.needing(
                prf.pbkdf2.digest(),
                new ParsedHash.Checkable(
                        prf.parameters(iterations),
                        Growth.times(blocks),
                        password ->
                                MessageDigest.isEqual(hash, prf.pbkdf2.derive(password, salt, iterations, hash.length)),
                        Scheme.noteOnSalt(salt)));
    }

    /**
     * Spring's {@code Pbkdf2PasswordEncoder} without a secret: 32 bytes of hash after the salt, in hexadecimal.
     *
     * @param prf its digest
     * @param iterations belonging to the id
     * @param saltBytes belonging to the id
     * @return reads the text after the id
     */
    public static HashFormat spring(Prf prf, int iterations, int saltBytes) {
        return text -> {
            byte[] bytes = HashText.hex(text);
            if (bytes == null || bytes.length != saltBytes + 32) {
                return ParsedHash.damaged(prf.algorithm);
            }
            return parsed(
                    prf,
                    iterations,
                    Arrays.copyOf(bytes, saltBytes),
                    Arrays.copyOfRange(bytes, saltBytes, bytes.length));
        };
    }

    /**
     * Checks the costs of new hashes.
     *
     * @param prf its digest
     * @param iterations at least OWASP's minimum, at most {@link #MAX_ITERATIONS}
     * @return PBKDF2 with these rounds
     * @throws IllegalArgumentException below the floor or above the ceiling
     */
    public static Parameters checkedParameters(Prf prf, int iterations) {
        if (iterations < prf.minIterations || iterations > MAX_ITERATIONS) {
            throw new IllegalArgumentException(prf.algorithm + " needs " + prf.minIterations + " to " + MAX_ITERATIONS
                    + " iterations, got " + iterations);
        }
        return prf.parameters(iterations);
    }

    /**
     * New hashes, as PHC strings.
     *
     * @param prf its digest
     * @param iterations checked by {@link #checkedParameters}
     * @return a scheme for passwords of any length
     */
    public static Scheme writing(Prf prf, int iterations) {
        Parameters parameters = prf.parameters(iterations);
        return Scheme.of(
                parameters,
                prf.algorithm,
                (password, salt) -> "$" + prf.algorithm + "$" + parameters.costText() + "$"
                        + Base64Alphabet.STANDARD.encode(salt) + "$"
                        + Base64Alphabet.STANDARD.encode(
                                prf.pbkdf2.derive(password, salt, iterations, WRITTEN_HASH_BYTES)),
                (share, password, salt) ->
                        prf.pbkdf2.derive(password, salt, Math.max((int) (iterations * share), 1), WRITTEN_HASH_BYTES));
    }
}
