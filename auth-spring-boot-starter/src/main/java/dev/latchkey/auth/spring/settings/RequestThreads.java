package dev.latchkey.auth.spring.settings;

import java.util.List;
import org.springframework.core.env.Environment;

/**
 * The number of request threads, as far as the configuration says.
 *
 * @param number of request threads
 */
public record RequestThreads(int number) {

    /** The default of every server that Boot embeds. */
    private static final int DEFAULT = 200;

    /** Virtual threads are cheap. The memory of their requests is the bound. */
    private static final int VIRTUAL = 4_000;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private static final List<String> SETTINGS =
            List.of("server.tomcat.threads.max", "server.jetty.threads.max", "server.undertow.threads.worker");

    /**
     * The request threads of the configured server; of several servers, the smallest number.
     *
     * @param environment of the service
     * @return 200 by default, and 4,000 for virtual threads
     */
    public static RequestThreads of(Environment environment) {
        if (environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
            return new RequestThreads(VIRTUAL);
        }
        return new RequestThreads(SETTINGS.stream()
                .map(setting -> environment.getProperty(setting, Integer.class, DEFAULT))
                .filter(number -> number > 0)
                .mapToInt(Integer::intValue)
                .min()
                .orElse(DEFAULT));
    }

    /**
     * A quarter of the threads. The rest serve requests without a login.
     *
     * @return at least 1
     */
    public int mayWait() {
        return Math.max(1, number / 4);
    }

    /**
     * Half of the threads: the most that a hanging plugin may hold.
     *
     * @return at least 1
     */
    public int half() {
        return Math.max(1, number / 2);
    }
}
