package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestThreadsTest {

    private record Configured(Map<String, Object> values) implements RequestThreads.Settings {

        @Override
        public <T> T get(String name, Class<T> type, T byDefault) {
            Object value = values.get(name);
            return value == null ? byDefault : type.cast(value);
        }
    }

    private static RequestThreads of(Map<String, Object> values) {
        return RequestThreads.of(new Configured(values));
    }

    @Test
    void withoutASetting_thereAreTheServersDefault() {
        assertThat(of(Map.of())).isEqualTo(new RequestThreads(200));
        assertThat(RequestThreads.of(new Configured(Map.of()), RequestThreads.byProcessors(), false)
                        .number())
                .as("Undertow")
                .isEqualTo(8 * Math.max(2, Runtime.getRuntime().availableProcessors()));
    }

    @Test
    void smallestNumberCounts_andNoNumberMeansTheDefault() {
        assertThat(of(Map.of("server.tomcat.threads.max", 20, "server.jetty.threads.max", 30)))
                .isEqualTo(new RequestThreads(20));
        assertThat(of(Map.of("server.tomcat.threads.max", 400))).isEqualTo(new RequestThreads(400));
        assertThat(of(Map.of("server.undertow.threads.worker", 7))).isEqualTo(new RequestThreads(7));
        assertThat(of(Map.of("server.tomcat.threads.max", -1))).isEqualTo(new RequestThreads(200));
    }

    @Test
    void virtualThreads_countWhereTheJdkHasThem() {
        int expected = Runtime.version().feature() >= 21 ? 4_000 : 200;
        assertThat(of(Map.of("spring.threads.virtual.enabled", true))).isEqualTo(new RequestThreads(expected));
    }

    /** A request that waits in Jetty's pool of virtual threads holds one of its places. */
    @Test
    void virtualThreadsOfJetty_areAsManyAsItsPlatformThreads() {
        Map<String, Object> virtual = Map.of("spring.threads.virtual.enabled", true);
        assertThat(RequestThreads.of(new Configured(virtual), 200, true)).isEqualTo(new RequestThreads(200));
        Map<String, Object> more = Map.of("spring.threads.virtual.enabled", true, "server.jetty.threads.max", 2_000);
        assertThat(RequestThreads.of(new Configured(more), 200, true)).isEqualTo(new RequestThreads(2_000));
    }

    @Test
    void sharesAreAtLeastOneThread() {
        assertThat(new RequestThreads(200).mayWait()).isEqualTo(50);
        assertThat(new RequestThreads(1).mayWait()).isEqualTo(1);
    }
}
