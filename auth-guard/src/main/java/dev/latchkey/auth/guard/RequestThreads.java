package dev.latchkey.auth.guard;

import java.util.List;

/**
 * The number of request threads, as far as the configuration of a Spring Boot service says.
 *
 * @param number of request threads
 */
public record RequestThreads(int number) {

    /** The default of Tomcat and of Jetty. */
    private static final int DEFAULT = 200;

    /** Virtual threads are cheap. The memory of their requests is the bound. */
    private static final int VIRTUAL = 4_000;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private static final List<String> SETTINGS =
            List.of("server.tomcat.threads.max", "server.jetty.threads.max", "server.undertow.threads.worker");

    /** The settings of a service, such as Spring's {@code Environment::getProperty}. */
    @FunctionalInterface
    public interface Settings {

        /**
         * The value of a setting.
         *
         * @param <T> the type of the value
         * @param name of the setting
         * @param type of the value
         * @param byDefault the value of an absent setting
         * @return as configured, or the default
         */
        <T> T get(String name, Class<T> type, T byDefault);
    }

    /**
     * The request threads of the configured server; of several servers, the smallest number.
     *
     * @param settings of the service
     * @return the default of the server, if the service sets no number; 4,000 for virtual threads, except on Jetty: Jetty has as many
     *     virtual threads as platform threads
     */
    public static RequestThreads of(Settings settings) {
        return of(
                settings,
                isPresent("io.undertow.Undertow") ? byProcessors() : DEFAULT,
                isPresent("org.eclipse.jetty.server.Server"));
    }

    static RequestThreads of(Settings settings, int byDefault, boolean isJetty) {
        if (!isJetty
                && settings.get("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
            return new RequestThreads(VIRTUAL);
        }
        return new RequestThreads(SETTINGS.stream()
                .mapToInt(setting -> settings.get(setting, Integer.class, 0))
                .filter(number -> number > 0)
                .min()
                .orElse(byDefault));
    }

    /** The default of Undertow, which no other server shares. */
    static int byProcessors() {
        return 8 * Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, RequestThreads.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * A quarter of the threads. The rest serve requests that do not wait.
     *
     * @return at least 1
     */
    public int mayWait() {
        return Math.max(1, number / 4);
    }
}
