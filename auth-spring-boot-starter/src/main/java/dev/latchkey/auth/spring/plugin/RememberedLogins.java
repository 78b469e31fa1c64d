package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.util.ClassUtils;

/**
 * The remember-me cookies of Spring Security with rows in the service's store.
 *
 * <p>Separate threads delete the rows. There, Spring's template has no part in the caller's transaction: a rollback of the caller
 * restores no row. If a store hangs, the caller waits for two seconds at most.
 */
final class RememberedLogins {

    /** As for a request to the other stores. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** More than the connections of a pool: each silent connection may keep a thread for ever. */
    private static final int MOST_THREADS = 100;

    /** As many callers as a service may have. A deletion also runs after its caller has stopped waiting. */
    private static final int MOST_WAITING = 1_000;

    private static final boolean HAS_WEB = ClassUtils.isPresent(
            "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository",
            RememberedLogins.class.getClassLoader());

    private RememberedLogins() {}

    /**
     * Ends all cookies of an account, in every {@link PersistentTokenRepository} of the service. The stores are looked up at each
     * call, because a store may need beans that need the plugins.
     *
     * @return a predicate for an account's name: true if the service has such a store. The predicate throws an exception if a
     *     store fails or is late
     */
    static Predicate<String> ending(BeanFactory beans) {
        return ending(beans, PATIENCE);
    }

    static Predicate<String> ending(BeanFactory beans, Duration patience) {
        if (!HAS_WEB) {
            return username -> false;
        }
        Executor threads = threads();
        return username -> Rows.delete(username, beans, threads, patience);
    }

    private static Executor threads() {
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
        ThreadFactory daemons = DaemonThreads.of(RememberedLogins.class, "latchkey-remember-me");
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(MOST_THREADS, MOST_THREADS, 1, TimeUnit.SECONDS, waiting, daemons);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** A service without Spring Security's web part has no such class. */
    private static final class Rows {

        static boolean delete(String username, BeanFactory beans, Executor threads, Duration patience) {
            List<PersistentTokenRepository> stores = beans.getBeanProvider(PersistentTokenRepository.class).stream()
                    .toList();
            if (stores.isEmpty()) {
                return false;
            }
            try {
                CompletableFuture.runAsync(() -> stores.forEach(store -> store.removeUserTokens(username)), threads)
                        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (CompletionException e) {
                throw new IllegalStateException("The rows of remember-me cookies were not deleted", e.getCause());
            }
            return true;
        }
    }
}
