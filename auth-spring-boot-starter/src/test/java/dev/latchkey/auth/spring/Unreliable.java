package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;

/** A store that does not answer while a test says so. */
public final class Unreliable {

    private Unreliable() {}

    /** Where {@code down} is true of a method's name, the call is an outage. */
    public static <T> T around(Class<T> port, T store, Predicate<String> down) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            if (down.test(method.getName())) {
                throw AuthUnavailableException.outage(port.getSimpleName() + " does not answer");
            }
            try {
                return method.invoke(store, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
