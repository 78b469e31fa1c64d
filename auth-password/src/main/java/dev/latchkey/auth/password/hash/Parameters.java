package dev.latchkey.auth.password.hash;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A hash's algorithm and the costs of one check. Immutable.
 *
 * @param algorithm such as {@code argon2id}
 * @param costs the cost parameters, with the order and names of the text form; empty if there are none
 */
public record Parameters(String algorithm, Map<String, Integer> costs) {

    /**
     * Copies the costs.
     *
     * @param algorithm such as {@code argon2id}
     * @param costs in the order of the text form
     */
    public Parameters {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
    }

    /**
     * An algorithm without costs.
     *
     * @param algorithm such as {@code md5-crypt}
     * @return parameters without costs
     */
    public static Parameters none(String algorithm) {
        return new Parameters(algorithm, Map.of());
    }

    /**
     * An algorithm with one cost.
     *
     * @param algorithm such as {@code bcrypt}
     * @param name of the cost in the text form
     * @param cost its value
     * @return parameters with this cost
     */
    public static Parameters of(String algorithm, String name, int cost) {
        return new Parameters(algorithm, Map.of(name, cost));
    }

    /**
     * Returns a copy with one more cost.
     *
     * @param name of the cost in the text form
     * @param cost its value
     * @return a copy with the cost at the end
     */
    public Parameters and(String name, int cost) {
        Map<String, Integer> more = new LinkedHashMap<>(costs);
        more.put(name, cost);
        return new Parameters(algorithm, more);
    }

    /**
     * The cost with this name.
     *
     * @param name in the text form
     * @return the cost; 0 without this cost
     */
    public int cost(String name) {
        return costs.getOrDefault(name, 0);
    }

    /**
     * Whether this is the same algorithm with at least the work and the memory of the other parameters. The costs are
     * not compared one by one. Otherwise two passes over 19 MiB would replace one pass over a gigabyte.
     *
     * @param other usually the parameters of new hashes
     * @return false for another algorithm, even a strong one
     */
    public boolean isAtLeast(Parameters other) {
        return algorithm.equals(other.algorithm)
                && Effort.share(this, other) >= 1
                && Effort.memory(this) >= Effort.memory(other);
    }

    /**
     * The estimated time of one check.
     *
     * @return in nanoseconds; only the ratios matter
     */
    public double nanos() {
        return Effort.nanos(this);
    }

    /**
     * Whether the algorithm is a fast digest, applied once or a few times. Guesses cost almost no time.
     *
     * @return decided by the estimated time of a check
     */
    public boolean isFast() {
        return Effort.isFast(this);
    }

    void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(algorithm + " " + rule + ", got " + costText());
        }
    }

    /**
     * The costs as text.
     *
     * @return for instance {@code m=19456,t=2,p=1}; empty for none
     */
    public String costText() {
        return costs.entrySet().stream()
                .map(cost -> cost.getKey() + "=" + cost.getValue())
                .collect(Collectors.joining(","));
    }
}
