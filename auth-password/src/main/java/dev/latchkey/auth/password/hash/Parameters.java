package dev.latchkey.auth.password.hash;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which algorithm a hash is of, and what one check of it costs.
 *
 * @param algorithm such as {@code argon2id}
 * @param costs the parameters that make it dearer, in the order and by the names that its text form uses; empty for an
 *     algorithm that has none
 */
public record Parameters(String algorithm, Map<String, Integer> costs) {

    /** Copies the costs. */
    public Parameters {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
    }

    /** An algorithm without costs. */
    public static Parameters none(String algorithm) {
        return new Parameters(algorithm, Map.of());
    }

    /** An algorithm with one cost. */
    public static Parameters of(String algorithm, String name, int cost) {
        return new Parameters(algorithm, Map.of(name, cost));
    }

    /** The same with one cost more. */
    public Parameters and(String name, int cost) {
        Map<String, Integer> more = new LinkedHashMap<>(costs);
        more.put(name, cost);
        return new Parameters(algorithm, more);
    }

    /** The cost of this name; 0 where there is none. */
    public int cost(String name) {
        return costs.getOrDefault(name, 0);
    }

    /**
     * Whether this is the same algorithm with no less work and no less memory than the other. Not cost by cost: argon2id with one pass over
     * a gigabyte would be replaced by two passes over 19 MiB, because one is less than two.
     */
    public boolean isAtLeast(Parameters other) {
        return algorithm.equals(other.algorithm)
                && Effort.share(this, other) >= 1
                && Effort.memory(this) >= Effort.memory(other);
    }

    /** About how long one check takes, in nanoseconds, of which only the ratios matter. */
    public double nanos() {
        return Effort.nanos(this);
    }

    /** Whether it is a digest that was made to be fast, once or a few times: nothing that takes a guesser's time. */
    public boolean isFast() {
        return Effort.isFast(this);
    }

    void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(algorithm + " " + rule + ", got " + costText());
        }
    }

    /** The costs as text: {@code m=19456,t=2,p=1}. */
    public String costText() {
        return costs.entrySet().stream()
                .map(cost -> cost.getKey() + "=" + cost.getValue())
                .collect(Collectors.joining(","));
    }
}
