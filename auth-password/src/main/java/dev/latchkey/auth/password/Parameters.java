package dev.latchkey.auth.password;

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
record Parameters(String algorithm, Map<String, Integer> costs) {

    Parameters {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
    }

    static Parameters none(String algorithm) {
        return new Parameters(algorithm, Map.of());
    }

    static Parameters of(String algorithm, String name, int cost) {
        return new Parameters(algorithm, Map.of(name, cost));
    }

    Parameters and(String name, int cost) {
        Map<String, Integer> more = new LinkedHashMap<>(costs);
        more.put(name, cost);
        return new Parameters(algorithm, more);
    }

    /** The cost of this name; 0 where there is none. */
    int cost(String name) {
        return costs.getOrDefault(name, 0);
    }

    /**
     * Whether this is the same algorithm with no less work and no less memory than the other. Not cost by cost: argon2id with one pass over
     * a gigabyte would be replaced by two passes over 19 MiB, because one is less than two.
     */
    boolean isAtLeast(Parameters other) {
        return algorithm.equals(other.algorithm)
                && Effort.share(this, other) >= 1
                && Effort.memory(this) >= Effort.memory(other);
    }

    /** The costs as text: {@code m=19456,t=2,p=1}. */
    String costText() {
        return costs.entrySet().stream()
                .map(cost -> cost.getKey() + "=" + cost.getValue())
                .collect(Collectors.joining(","));
    }
}
