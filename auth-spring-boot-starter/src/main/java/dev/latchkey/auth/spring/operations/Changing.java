package dev.latchkey.auth.spring.operations;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who changes something on this thread, for as long as it takes: an audit hears of a change and not of who asked for it.
 *
 * <p>Who calls by JMX has no name here, so the way stands for it.
 */
final class Changing {

    private static final ThreadLocal<@Nullable String> NAME = new ThreadLocal<>();

    private Changing() {}

    /** Has somebody of this name make the change, within which no other one is made. */
    static <T> T by(String name, Supplier<T> change) {
        NAME.set(name);
        try {
            return change.get();
        } finally {
            NAME.remove();
        }
    }

    /** Empty where nobody said who it is. */
    static String name() {
        return Objects.requireNonNullElse(NAME.get(), "");
    }
}
