package dev.latchkey.benchmarks.ratios;

import java.util.LinkedHashMap;
import java.util.Map;

/** One side of a ratio: a benchmark with its parameters, written {@code Class.method name=value name=value}. */
record Side(String benchmark, Map<String, String> parameters) {

    Side {
        parameters = Map.copyOf(parameters);
    }

    /** @throws IllegalArgumentException if it is not written so */
    static Side parse(String text) {
        String[] words = text.trim().split("\\s+", -1);
        if (!words[0].matches("\\w+\\.\\w+")) {
            throw new IllegalArgumentException("A side begins with Class.method, not with '" + words[0] + "'");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("A parameter is name=value, not '" + words[i] + "'");
            }
            parameters.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Side(words[0], parameters);
    }
}
