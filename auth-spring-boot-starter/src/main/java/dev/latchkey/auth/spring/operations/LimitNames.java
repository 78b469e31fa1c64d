package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.login.LoginBucket;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The names of limits for operators: in lower case, with hyphens or underscores. */
final class LimitNames {

    private LimitNames() {}

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /**
     * @throws IllegalArgumentException for an unknown name; the message lists the known names
     */
    static LoginBucket bucket(String name) {
        return named("bucket", name, LoginBucket.values());
    }

    private static <E extends Enum<E>> E named(String kind, String name, E[] values) {
        return Arrays.stream(values)
                .filter(value -> value.name().equalsIgnoreCase(name.replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The " + kind + " is one of "
                        + Arrays.stream(values).map(LimitNames::of).collect(Collectors.joining(", "))));
    }
}
