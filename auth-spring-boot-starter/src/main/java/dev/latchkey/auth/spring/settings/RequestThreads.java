package dev.latchkey.auth.spring.settings;

import java.util.List;
import org.springframework.core.env.Environment;

/**
 * How many threads answer requests, as far as the configuration tells.
 *
 * @param number of them
 */
public record RequestThreads(int number) {

    /** What every server that Boot embeds has where nothing else is configured. */
    private static final int DEFAULT = 200;

    /** Virtual threads cost little; what bounds them is the memory of their requests. */
    private static final int VIRTUAL = 4_000;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private static final List<String> SETTINGS =
            List.of("server.tomcat.threads.max", "server.jetty.threads.max", "server.undertow.threads.worker");

    /**
     * The threads of the server that is configured; of several servers, those of the one with the fewest.
     *
     * @param environment of the service
     * @return 200 where nothing is set, and 4,000 for virtual threads
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

    /** A quarter of them: the others serve everybody who does not log in. */
    int mayWait() {
        return Math.max(1, number / 4);
    }

    /**
     * Half of them: what one plugin that hangs may hold at most.
     *
     * @return at least 1
     */
    public int half() {
        return Math.max(1, number / 2);
    }
}
