package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Argon2Format;
import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.HashText;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Scheme;
import dev.latchkey.auth.password.hash.ScryptFormat;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The algorithm and costs for new hashes. The floors are OWASP's minimum costs (Password Storage Cheat Sheet, 2026).
 * The ceilings equal the ceilings for stored hashes, so that every new hash can be read.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class HashSpec {

    private static final Set<String> NEVER_WRITTEN = Set.of("noop", "md4", "md5");

    private static final Map<String, HashSpec> RECOMMENDED = recommended(
            argon2id(19 * 1024, 2, 1),
            scrypt(17, 8, 1),
            bcrypt(BcryptFormat.MIN_COST),
            pbkdf2Sha256(600_000),
            pbkdf2Sha512(220_000));

    private final Parameters parameters;
    private final Function<MemoryPermits, Scheme> scheme;

    private HashSpec(Parameters parameters, Function<MemoryPermits, Scheme> scheme) {
        this.parameters = parameters;
        this.scheme = scheme;
    }

    /** A spec without floors, for tests and for measuring small amounts of work. */
    static HashSpec unchecked(Parameters parameters, Function<MemoryPermits, Scheme> scheme) {
        return new HashSpec(parameters, scheme);
    }

    /**
     * Argon2id, version 1.3 (RFC 9106).
     *
     * @param memoryKiB the memory of one hash in KiB (m); 7 MiB to 1 GiB
     * @param iterations passes over the memory (t), at least 1; memory times passes is 35 MiB to 4 GiB
     * @param parallelism lanes (p), 1 to 64; the lanes run one after the other here
     * @return a spec that needs Bouncy Castle for hashing
     * @throws IllegalArgumentException below the floors or above the ceilings; the message names the limits
     */
    public static HashSpec argon2id(int memoryKiB, int iterations, int parallelism) {
        Parameters parameters = Argon2Format.checkedParameters(memoryKiB, iterations, parallelism);
        return new HashSpec(
                parameters, permits -> new Argon2Format(permits).writing(memoryKiB, iterations, parallelism));
    }

    /**
     * scrypt (RFC 7914).
     *
     * @param log2n the binary logarithm of N; 1 to 24, and less than 16 r
     * @param r the block size, 1 to 255; N*r is 2^16 to 2^21, and the table takes 128*N*r bytes
     * @param p the parallelization, 1 to 255; N*r*p is 655,360 to 2^23
     * @return a spec that needs Bouncy Castle for hashing
     * @throws IllegalArgumentException below the floors or above the ceilings; the message names the limits
     */
    public static HashSpec scrypt(int log2n, int r, int p) {
        Parameters parameters = ScryptFormat.checkedParameters(log2n, r, p);
        return new HashSpec(parameters, permits -> new ScryptFormat(permits).writing(log2n, r, p));
    }

    /**
     * bcrypt, with passwords of at most 72 bytes.
     *
     * @param cost the binary logarithm of the rounds, 10 to 16; each step doubles the work
     * @return a spec that needs no library
     * @throws IllegalArgumentException if the cost is outside the range
     */
    public static HashSpec bcrypt(int cost) {
        return new HashSpec(BcryptFormat.checkedParameters(cost), permits -> BcryptFormat.writing(cost));
    }

    /**
     * PBKDF2 with HMAC-SHA-256 (RFC 8018 section 5.2).
     *
     * @param iterations 600,000 to 10,000,000
     * @return a spec that needs no library
     * @throws IllegalArgumentException if the number is outside the range
     */
    public static HashSpec pbkdf2Sha256(int iterations) {
        return pbkdf2(Pbkdf2Format.Prf.SHA256, iterations);
    }

    /**
     * PBKDF2 with HMAC-SHA-512 (RFC 8018 section 5.2).
     *
     * @param iterations 220,000 to 10,000,000
     * @return a spec that needs no library
     * @throws IllegalArgumentException if the number is outside the range
     */
    public static HashSpec pbkdf2Sha512(int iterations) {
        return pbkdf2(Pbkdf2Format.Prf.SHA512, iterations);
    }

    private static HashSpec pbkdf2(Pbkdf2Format.Prf prf, int iterations) {
        return new HashSpec(
                Pbkdf2Format.checkedParameters(prf, iterations), permits -> Pbkdf2Format.writing(prf, iterations));
    }

    /**
     * Reads a spec from configuration: {@code argon2id}, {@code scrypt}, {@code bcrypt}, {@code pbkdf2-sha256} or
     * {@code pbkdf2-sha512} with OWASP's recommended costs. Other costs follow a colon, by the names in
     * {@link #toString}: {@code bcrypt:cost=12}, {@code argon2id:m=47104,t=1,p=1}. A missing cost has its recommended
     * value.
     *
     * @param text in the form of {@link #toString}, or only the algorithm
     * @return the spec
     * @throws IllegalArgumentException for an unknown algorithm or cost, or a value outside the floors and ceilings
     */
    public static HashSpec of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        HashSpec recommended = RECOMMENDED.get(name);
        if (recommended == null) {
            throw new IllegalArgumentException(
                    NEVER_WRITTEN.contains(name)
                            ? name + " is never written: it hardly protects a password"
                            : "There is no such algorithm to write; there are " + RECOMMENDED.keySet());
        }
        return colon < 0 ? recommended : recommended.withCosts(text.substring(colon + 1));
    }

    private HashSpec withCosts(String text) {
        Map<String, Integer> costs = new LinkedHashMap<>(parameters.costs());
        for (String cost : text.split(",", -1)) {
            int equals = cost.indexOf('=');
            String name = cost.substring(0, Math.max(equals, 0)).strip();
            int value = HashText.number(cost.substring(equals + 1).strip());
            require(
                    costs.containsKey(name) && value != HashText.NOT_A_NUMBER,
                    parameters.algorithm() + " takes costs as in " + parameters.algorithm() + ":"
                            + parameters.costText());
            costs.put(name, value);
        }
        int[] values = costs.values().stream().mapToInt(Integer::intValue).toArray();
        return switch (parameters.algorithm()) {
            case "argon2id" -> argon2id(values[0], values[1], values[2]);
            case "scrypt" -> scrypt(values[0], values[1], values[2]);
            case "bcrypt" -> bcrypt(values[0]);
            case "pbkdf2-sha256" -> pbkdf2Sha256(values[0]);
            default -> pbkdf2Sha512(values[0]);
        };
    }

    Parameters parameters() {
        return parameters;
    }

    Scheme scheme(MemoryPermits permits) {
        return scheme.apply(permits);
    }

    /** The spec in the form for {@link #of}: {@code argon2id:m=19456,t=2,p=1}. */
    @Override
    public String toString() {
        return parameters.algorithm() + ":" + parameters.costText();
    }

    private static Map<String, HashSpec> recommended(HashSpec... specs) {
        Map<String, HashSpec> byName = new LinkedHashMap<>();
        Arrays.stream(specs).forEach(spec -> byName.put(spec.parameters.algorithm(), spec));
        return byName;
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
