package dev.latchkey.auth.password.hash;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which algorithm a hash is of, and what one check of it costs. Immutable.
 *
 * @param algorithm such as {@code argon2id}
 * @param costs the parameters that make it dearer, in the order and by the names that its text form uses; empty for an algorithm that has none
 */
public record Parameters(String algorithm, Map<String, Integer> costs) {

    /**
     * Copies the costs.
     *
     * @param algorithm such as {@code argon2id}
     * @param costs in the order of its text form
     */
    public Parameters {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
    }

    /**
     * An algorithm without costs.
     *
     * @param algorithm such as {@code md5-crypt}
     * @return without costs
     */
    public static Parameters none(String algorithm) {
        return new Parameters(algorithm, Map.of());
    }

    /**
     * An algorithm with one cost.
     *
     * @param algorithm such as {@code bcrypt}
     * @param name of the cost, as the text form has it
     * @param cost its value
     * @return with this cost
     */
    public static Parameters of(String algorithm, String name, int cost) {
        return new Parameters(algorithm, Map.of(name, cost));
    }

    /**
     * The same with one more cost.
     *
     * @param name of the cost, as the text form has it
     * @param cost its value
     * @return with the cost behind those that are there
     */
    public Parameters and(String name, int cost) {
        Map<String, Integer> more = new LinkedHashMap<>(costs);
        more.put(name, cost);
        return new Parameters(algorithm, more);
    }

    /**
     * The cost of this name.
     *
     * @param name as the text form has it
     * @return 0 where there is none
     */
    public int cost(String name) {
        return costs.getOrDefault(name, 0);
    }

    /**
     * Whether this is the same algorithm with no less work and no less memory than the other. The costs are not compared one by one: argon2id with
     * one pass over a gigabyte would be replaced by two passes over 19 MiB, because one is less than two.
     *
     * @param other usually of what is written now
     * @return false for another algorithm, however strong
     */
    public boolean isAtLeast(Parameters other) {
        return algorithm.equals(other.algorithm)
                && Effort.share(this, other) >= 1
                && Effort.memory(this) >= Effort.memory(other);
    }

    /**
     * About how long one check takes.
     *
     * @return in nanoseconds, of which only the ratios matter
     */
    public double nanos() {
        return Effort.nanos(this);
    }

    /**
     * Whether the algorithm is a digest that was made to be fast, applied once or a few times, which takes a guesser no time.
     *
     * @return by the time of a check
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
