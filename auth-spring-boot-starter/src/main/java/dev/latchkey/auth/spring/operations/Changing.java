package dev.latchkey.auth.spring.operations;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The name of the operator who makes a change on this thread. Listeners audit the change and get no caller.
 *
 * <p>A call by JMX has no name. The name is then {@code jmx}.
 */
final class Changing {

    private static final ThreadLocal<@Nullable String> NAME = new ThreadLocal<>();

    private Changing() {}

    /** Runs a change in the name of this operator. Changes do not nest. */
    static <T> T by(String name, Supplier<T> change) {
        NAME.set(name);
        try {
            return change.get();
        } finally {
            NAME.remove();
        }
    }

    /** Empty outside of a change. */
    static String name() {
        return Objects.requireNonNullElse(NAME.get(), "");
    }
}
