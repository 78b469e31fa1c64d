package dev.latchkey.auth.password.hash;

import dev.latchkey.auth.password.hash.Argon2.Variant;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Argon2 in the form of the reference implementation and the PHC string format:
 * {@code $argon2id$v=19$m=19456,t=2,p=1$salt$hash}. A missing {@code v} means version 1.0. Safe for use by any number
 * of threads.
 */
public final class Argon2Format implements HashFormat {

    /** OWASP's minimum: 7 MiB with five passes. Less memory needs more passes. */
    static final int MIN_MEMORY_KIB = 7 * 1024;

    static final int MIN_WORK_KIB = 35 * 1024;

    static final int MAX_MEMORY_KIB = 1024 * 1024;

    /** The largest memory times passes, in KiB: about three seconds of one core. */
    public static final int MAX_WORK_KIB = 4 * 1024 * 1024;

    static final int MAX_PARALLELISM = 64;

    private static final Pattern TEXT = Pattern.compile("\\$argon2(id|i|d)(?:\\$v=([0-9]{1,9}))?"
            + "\\$m=([0-9]{1,20}),t=([0-9]{1,20}),p=([0-9]{1,20})\\$([^$]{1,128})\\$([^$]{1,128})");
    private static final int MIN_SALT_BYTES = 8;
    private static final int MIN_HASH_BYTES = 16;
    private static final int WRITTEN_HASH_BYTES = 32;

    private final MemoryPermits permits;

    /**
     * Reads and writes within these permits.
     *
     * @param permits for the memory of hashes; a row with a higher need is rejected
     */
    public Argon2Format(MemoryPermits permits) {
        this.permits = permits;
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("$argon2")) {
            return null;
        }
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged("argon2");
        }
        String algorithm = "argon2" + fields.group(1);
        int version = fields.group(2) == null ? Argon2.VERSION_10 : HashText.number(fields.group(2));
        byte[] salt = Base64Alphabet.STANDARD.decode(fields.group(6));
        byte[] hash = Base64Alphabet.STANDARD.decode(fields.group(7));
        if (salt == null
                || salt.length < MIN_SALT_BYTES
                || hash == null
                || hash.length < MIN_HASH_BYTES
                || (version != Argon2.VERSION_10 && version != Argon2.VERSION_13)) {
            return ParsedHash.damaged(algorithm);
        }
        int memory = HashText.number(fields.group(3));
        int iterations = HashText.number(fields.group(4));
        int parallelism = HashText.number(fields.group(5));
        if (iterations < 1 || parallelism < 1 || memory < 8L * parallelism) {
            return ParsedHash.damaged(algorithm);
        }
        if (isBeyondCeiling(memory, iterations, parallelism)) {
            return ParsedHash.beyond(algorithm, ceilingText());
        }
        if (memoryBytes(memory) > permits.totalBytes()) {
            return ParsedHash.beyond(
                    algorithm, permits.totalBytes() / 1024 + " KiB, which is all that there are permits for");
        }
        Variant variant = Variant.valueOf(fields.group(1).toUpperCase(Locale.ROOT));
        return new ParsedHash.Checkable(
                parameters(algorithm, memory, iterations, parallelism),
                Growth.none(),
                password -> MessageDigest.isEqual(
                        hash, hash(variant, version, memory, iterations, parallelism, password, salt, hash.length)),
                version == Argon2.VERSION_13 ? Scheme.noteOnSalt(salt) : "version 1.0, which RFC 9106 has replaced");
    }

    /**
     * The memory of one hash. Defined here, because the class {@code Argon2} cannot be loaded without Bouncy Castle.
     */
    private static long memoryBytes(int memoryKiB) {
        return memoryKiB * 1024L;
    }

    private static boolean isBeyondCeiling(int memoryKiB, int iterations, int parallelism) {
        return memoryKiB > MAX_MEMORY_KIB
                || (long) memoryKiB * iterations > MAX_WORK_KIB
                || parallelism > MAX_PARALLELISM;
    }

    private static String ceilingText() {
        return "m=" + MAX_MEMORY_KIB + " KiB, m*t=" + MAX_WORK_KIB + " KiB, p=" + MAX_PARALLELISM;
    }

    /**
     * Checks the costs of new hashes.
     *
     * @param memoryKiB 7 MiB to 1 GiB, in KiB
     * @param iterations at least 1; memory times passes is 35 MiB to 4 GiB
     * @param parallelism 1 to 64
     * @return argon2id with these costs
     * @throws IllegalArgumentException below the floors or above the ceilings
     */
    public static Parameters checkedParameters(int memoryKiB, int iterations, int parallelism) {
        Parameters parameters = parameters("argon2id", memoryKiB, iterations, parallelism);
        parameters.require(
                memoryKiB >= MIN_MEMORY_KIB
                        && iterations >= 1
                        && parallelism >= 1
                        && (long) memoryKiB * iterations >= MIN_WORK_KIB,
                "needs m of at least " + MIN_MEMORY_KIB + " KiB, m*t of at least " + MIN_WORK_KIB
                        + " KiB and p of at least 1");
        parameters.require(!isBeyondCeiling(memoryKiB, iterations, parallelism), "is limited to " + ceilingText());
        return parameters;
    }

    private static Parameters parameters(String algorithm, int memoryKiB, int iterations, int parallelism) {
        return Parameters.of(algorithm, "m", memoryKiB).and("t", iterations).and("p", parallelism);
    }

    private byte[] hash(
            Variant variant,
            int version,
            int memory,
            int iterations,
            int parallelism,
            byte[] password,
            byte[] salt,
            int length) {
        return permits.whileHolding(
                memoryBytes(memory),
                () -> Argon2.hash(variant, version, memory, iterations, parallelism, password, salt, length));
    }

    /**
     * New hashes: argon2id of version 1.3 with 32 bytes, readable by Spring's {@code Argon2PasswordEncoder}.
     *
     * @param memoryKiB checked by {@link #checkedParameters}, like the other costs
     * @param iterations passes over the memory
     * @param parallelism lanes
     * @return hashes within the permits
     */
    public Scheme writing(int memoryKiB, int iterations, int parallelism) {
        Parameters parameters = parameters("argon2id", memoryKiB, iterations, parallelism);
        return new Scheme(
                parameters,
                "argon2@SpringSecurity_v5_8",
                Integer.MAX_VALUE,
                memoryBytes(memoryKiB),
                (password, salt) -> "$argon2id$v=" + Argon2.VERSION_13 + "$" + parameters.costText() + "$"
                        + Base64Alphabet.STANDARD.encode(salt) + "$"
                        + Base64Alphabet.STANDARD.encode(hash(
                                Variant.ID,
                                Argon2.VERSION_13,
                                memoryKiB,
                                iterations,
                                parallelism,
                                password,
                                salt,
                                WRITTEN_HASH_BYTES)),
                (share, password, salt) -> idle(share, memoryKiB, iterations, parallelism, password, salt));
    }

    /**
     * Spends a share of the time with fewer passes first, and reduces memory only for the rest. Memory that fits into a
     * cache takes less time than in proportion.
     */
    private void idle(double share, int memory, int iterations, int parallelism, byte[] password, byte[] salt) {
        double passes = share * iterations;
        int wholePasses = (int) Math.ceil(passes);
        hash(
                Variant.ID,
                Argon2.VERSION_13,
                Math.max((int) (memory * passes / wholePasses), 8 * parallelism),
                wholePasses,
                parallelism,
                password,
                salt,
                WRITTEN_HASH_BYTES);
    }
}
