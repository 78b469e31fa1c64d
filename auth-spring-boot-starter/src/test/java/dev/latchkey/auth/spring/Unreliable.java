package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A store that does not answer while a test says so. */
public final class Unreliable {

    private Unreliable() {}

    /** Where {@code down} is true of a method's name, the call is an outage. */
    public static <T> T around(Class<T> port, T store, Predicate<String> down) {
        return around(port, store, down, method -> false);
    }

    /** Where {@code unanswered} is true of a method's name, the store does what it was asked, and the call is an outage all the same. */
    public static <T> T around(Class<T> port, T store, Predicate<String> down, Predicate<String> unanswered) {
        return around(port, store, down, unanswered, longest -> {});
    }

    /**
     * The same, with the allowed time of the calls.
     *
     * @param within called with this time, if the caller gives a time
     */
    public static <T> T around(
            Class<T> port, T store, Predicate<String> down, Predicate<String> unanswered, Consumer<Duration> within) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            if (method.getName().equals("within")) {
                within.accept((Duration) args[0]);
                return proxy;
            }
            if (down.test(method.getName())) {
                throw AuthUnavailableException.outage(port.getSimpleName() + " does not answer");
            }
            Object answer = invoke(store, method, args);
            if (unanswered.test(method.getName())) {
                throw AuthUnavailableException.outage(port.getSimpleName() + " answers too late");
            }
            return answer;
        }));
    }

    private static Object invoke(Object store, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
