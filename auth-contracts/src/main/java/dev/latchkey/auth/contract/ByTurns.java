package dev.latchkey.auth.contract;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Stores whose calls go by turns to a view of the store and to the store itself. A service calls a store through a new view each
 * time, {@link LoginStore#within within} the rest of the request's time. The first call goes to a view.
 */
final class ByTurns {

    private ByTurns() {}

    static RevocationStore of(RevocationStore store) {
        return of(RevocationStore.class, store, () -> store.within(TimeLimit.USUAL));
    }

    static SharedRevocationStore of(SharedRevocationStore store) {
        return of(SharedRevocationStore.class, store, () -> store.within(TimeLimit.USUAL));
    }

    static LoginStore of(LoginStore store) {
        return of(LoginStore.class, store, () -> store.within(TimeLimit.USUAL));
    }

    private static <S> S of(Class<S> type, S store, Supplier<S> view) {
        AtomicInteger calls = new AtomicInteger();
        InvocationHandler byTurns = (proxy, method, arguments) -> {
            S asked = calls.getAndIncrement() % 2 == 0 ? view.get() : store;
            try {
                return method.invoke(asked, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, byTurns));
    }
}
