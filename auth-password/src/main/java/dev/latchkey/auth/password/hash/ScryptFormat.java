package dev.latchkey.auth.password.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * scrypt in four forms: Spring's {@code $110801$salt$hash} with log2(N), r and p in one hexadecimal number, the PHC
 * string {@code $scrypt$ln=17,r=8,p=1$salt$hash} of passlib, Django's {@code scrypt$N$salt$r$p$hash} and Werkzeug's
 * {@code scrypt:N:r:p$salt$hash}. The salts of Django and Werkzeug are text. Safe for use by any number of threads.
 */
public final class ScryptFormat implements HashFormat {

    /** OWASP's minimum of N times r: a table of 8 MiB. With {@link #MIN_WORK}, ten times. */
    static final int MIN_TABLE = 1 << 16;

    static final int MIN_WORK = 655_360;

    /** The most N times r: a table of 256 MiB. */
    static final int MAX_TABLE = 1 << 21;

    /** The most N times r times p: about two seconds of one core. */
    public static final int MAX_WORK = 1 << 23;

    /** The largest r times p: Bouncy Castle throws for more. RFC 7914 section 2 would allow 512 times as much. */
    static final int MAX_BLOCKS = (1 << 21) - 1;

    static final int MAX_LOG2_N = 24;

    private static final Pattern SPRING = Pattern.compile("\\$([0-9a-f]{5,16})\\$([^$]{1,180})\\$([^$]{1,180})");
    private static final Pattern PHC = Pattern.compile(
            "\\$scrypt\\$ln=([0-9]{1,20}),r=([0-9]{1,20}),p=([0-9]{1,20})\\$([^$]{1,180})\\$([^$]{1,180})");
    private static final Pattern DJANGO =
            Pattern.compile("scrypt\\$([0-9]{1,20})\\$([^$]{1,128})\\$([0-9]{1,20})\\$([0-9]{1,20})\\$([^$]{1,180})");
    private static final Pattern WERKZEUG =
            Pattern.compile("scrypt:([0-9]{1,20}):([0-9]{1,20}):([0-9]{1,20})\\$([^$]{1,128})\\$([0-9a-f]{128})");
    private static final List<String> STARTS = List.of("$scrypt$", "scrypt$", "scrypt:");
    private static final String ALGORITHM = "scrypt";
    private static final int WRITTEN_HASH_BYTES = 32;
    private static final int DOUBLE_HASH_BYTES = 64;

    private final MemoryPermits permits;

    /**
     * Reads and writes within these permits.
     *
     * @param permits for the memory of hashes; a row with a higher need is rejected
     */
    public ScryptFormat(MemoryPermits permits) {
        this.permits = permits;
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        Matcher spring = SPRING.matcher(text);
        if (spring.matches()) {
            return readSpring(spring);
        }
        Matcher phc = PHC.matcher(text);
        if (phc.matches()) {
            return parsed(
                    HashText.number(phc.group(1)),
                    HashText.number(phc.group(2)),
                    HashText.number(phc.group(3)),
                    Base64Alphabet.STANDARD.decode(phc.group(4)),
                    whole(phc.group(5), WRITTEN_HASH_BYTES));
        }
        Matcher django = DJANGO.matcher(text);
        if (django.matches()) {
            return parsed(
                    log2(HashText.number(django.group(1))),
                    HashText.number(django.group(3)),
                    HashText.number(django.group(4)),
                    django.group(2).getBytes(StandardCharsets.UTF_8),
                    whole(django.group(5), DOUBLE_HASH_BYTES));
        }
        Matcher werkzeug = WERKZEUG.matcher(text);
        if (werkzeug.matches()) {
            return parsed(
                    log2(HashText.number(werkzeug.group(1))),
                    HashText.number(werkzeug.group(2)),
                    HashText.number(werkzeug.group(3)),
                    werkzeug.group(4).getBytes(StandardCharsets.UTF_8),
                    HashText.hex(werkzeug.group(5)));
        }
        return STARTS.stream().anyMatch(text::startsWith) ? ParsedHash.damaged(ALGORITHM) : null;
    }

    private static int log2(int n) {
        return Integer.bitCount(n) == 1 ? Integer.numberOfTrailingZeros(n) : HashText.NOT_A_NUMBER;
    }

    private ParsedHash readSpring(Matcher fields) {
        long packed = Long.parseUnsignedLong(fields.group(1), 16);
        return parsed(
                (int) Math.min(packed >>> 16, Integer.MAX_VALUE),
                (int) ((packed >>> 8) & 0xff),
                (int) (packed & 0xff),
                Base64Alphabet.STANDARD.decode(fields.group(2)),
                whole(fields.group(3), WRITTEN_HASH_BYTES, DOUBLE_HASH_BYTES));
    }

    /**
     * The hash, or null if the length differs from the tool's lengths. scrypt ends with PBKDF2 (RFC 7914 section 6).
     * Therefore a prefix of a hash would also match the right password, and many other passwords. Spring's
     * {@code SCryptPasswordEncoder} writes 32 bytes by default, passlib always, and Django 64.
     */
    private static byte @Nullable [] whole(String text, int... lengths) {
        byte[] hash = Base64Alphabet.STANDARD.decode(text);
        for (int length : lengths) {
            if (hash != null && hash.length == length) {
                return hash;
            }
        }
        return null;
    }

    private ParsedHash parsed(int log2n, int r, int p, byte @Nullable [] salt, byte @Nullable [] hash) {
        if (hash == null) {
            return ParsedHash.damaged(ALGORITHM);
        }
        return deriving(ALGORITHM, log2n, r, p, salt, hash.length, key -> MessageDigest.isEqual(hash, key));
    }

    /**
     * A row in which scrypt derives a key.
     *
     * @param algorithm scrypt, or an algorithm that continues with the key
     * @param log2n the binary logarithm of N in the row
     * @param r of the row
     * @param p of the row
     * @param salt null if the salt could not be decoded
     * @param keyBytes the length of the derived key
     * @param isRight whether the derived key fits the stored hash, compared in constant time
     * @return a rejection if a field is damaged, or the costs are above the ceilings or the permits
     */
    public ParsedHash deriving(
            String algorithm,
            int log2n,
            int r,
            int p,
            byte @Nullable [] salt,
            int keyBytes,
            Predicate<byte[]> isRight) {
        if (log2n < 1 || r < 1 || p < 1 || salt == null) {
            return ParsedHash.damaged(algorithm);
        }
        if (isBeyondCeiling(log2n, r, p)) {
            return ParsedHash.beyond(algorithm, ceilingText());
        }
        if (isTooLarge(log2n, r)) {
            return ParsedHash.damaged(algorithm);
        }
        int n = 1 << log2n;
        if (Scrypt.memoryBytes(n, r, p) > permits.totalBytes()) {
            return ParsedHash.beyond(
                    algorithm, permits.totalBytes() / 1024 + " KiB, which is all that there are permits for");
        }
        return new ParsedHash.Checkable(
                new Parameters(algorithm, parameters(log2n, r, p).costs()),
                Growth.none(),
                password -> isRight.test(hash(n, r, p, password, salt, keyBytes)),
                Scheme.noteOnSalt(salt));
    }

    /**
     * Whether N is too large for r: scrypt requires N less than 2^(128 r / 8) (RFC 7914 section 2). Within the ceilings
     * only r = 1 is too small.
     */
    private static boolean isTooLarge(int log2n, int r) {
        return log2n >= 16L * r;
    }

    private static boolean isBeyondCeiling(int log2n, int r, int p) {
        return log2n > MAX_LOG2_N
                || ((long) r << log2n) > MAX_TABLE
                || (double) ((long) r << log2n) * p > MAX_WORK
                || (long) r * p > MAX_BLOCKS;
    }

    private static String ceilingText() {
        return "N*r=" + MAX_TABLE + ", N*r*p=" + MAX_WORK + ", r*p=" + MAX_BLOCKS;
    }

    /**
     * Checks the costs of new hashes.
     *
     * @param log2n the binary logarithm of N; 1 to 24, and less than 16 r
     * @param r 1 to 255; N*r is 2^16 to 2^21
     * @param p 1 to 255; N*r*p is 655,360 to {@link #MAX_WORK}
     * @return scrypt with these costs
     * @throws IllegalArgumentException below the floors, above the ceilings, or if the values are not valid for scrypt
     */
    public static Parameters checkedParameters(int log2n, int r, int p) {
        Parameters parameters = parameters(log2n, r, p);
        parameters.require(
                log2n >= 1 && r >= 1 && p >= 1 && r <= 255 && p <= 255 && !isTooLarge(log2n, r),
                "needs a log2 of N of at least 1 and less than 16 r, and r and p of 1 to 255");
        parameters.require(!isBeyondCeiling(log2n, r, p), "is limited to " + ceilingText());
        long table = (long) r << log2n;
        parameters.require(
                table >= MIN_TABLE && table * p >= MIN_WORK,
                "needs N*r of at least " + MIN_TABLE + " and N*r*p of at least " + MIN_WORK);
        return parameters;
    }

    private static Parameters parameters(int log2n, int r, int p) {
        return Parameters.of("scrypt", "ln", log2n).and("r", r).and("p", p);
    }

    private byte[] hash(int n, int r, int p, byte[] password, byte[] salt, int length) {
        return permits.whileHolding(Scrypt.memoryBytes(n, r, p), () -> Scrypt.hash(n, r, p, password, salt, length));
    }

    /**
     * New hashes, readable by Spring's {@code SCryptPasswordEncoder}: 32 bytes, Base64 with padding.
     *
     * @param log2n checked by {@link #checkedParameters}, like the other costs
     * @param r the block size
     * @param p the parallelization
     * @return hashes within the permits
     */
    public Scheme writing(int log2n, int r, int p) {
        int n = 1 << log2n;
        return new Scheme(
                parameters(log2n, r, p),
                "scrypt@SpringSecurity_v5_8",
                Integer.MAX_VALUE,
                Scrypt.memoryBytes(n, r, p),
                (password, salt) -> "$" + Integer.toHexString((log2n << 16) | (r << 8) | p) + "$" + padded(salt) + "$"
                        + padded(hash(n, r, p, password, salt, WRITTEN_HASH_BYTES)),
                Scheme.halving(
                        log2n,
                        Math.max(log2n - 5, 1),
                        (lower, password, salt) -> hash(1 << lower, r, p, password, salt, WRITTEN_HASH_BYTES)));
    }

    private static String padded(byte[] bytes) {
        String text = Base64Alphabet.STANDARD.encode(bytes);
        return text + "=".repeat((4 - text.length() % 4) % 4);
    }
}
