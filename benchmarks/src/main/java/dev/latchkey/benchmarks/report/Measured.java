package dev.latchkey.benchmarks.report;

import java.util.HashMap;
import java.util.Map;

/** The readings of a scenario, by what was measured in which way. */
public final class Measured<A, B, T> {

    private final Map<A, Map<B, Readings<T>>> all = new HashMap<>();

    public Readings<T> of(A what, B way) {
        return all.computeIfAbsent(what, any -> new HashMap<>()).computeIfAbsent(way, any -> new Readings<>());
    }
}
