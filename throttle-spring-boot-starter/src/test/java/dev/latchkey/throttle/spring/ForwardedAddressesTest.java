package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No client chooses the address that a throttle counts, whatever Boot does with forwarding headers. */
@Tag("long")
class ForwardedAddressesTest {

    private static String[] throttledTo2(String strategy) {
        return new String[] {
            "server.forward-headers-strategy=" + strategy,
            "latchkey.guard.trusted-proxies=127.0.0.0/8,::1",
            "latchkey.throttle.refusing.paths=/counted",
            "latchkey.throttle.refusing.source.tokens=2",
            "latchkey.throttle.refusing.source.burst=2",
            "latchkey.throttle.refusing.source.per=1d"
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "native", "framework"})
    void clientOnServlets_isTheAddressThatTheProxyAdded(String strategy) {
        try (ThrottledService service = ThrottledService.start(throttledTo2(strategy))) {
            assertTwoPass(from -> status(service.get("/counted", from)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "native", "framework"})
    void clientOnNetty_isTheAddressThatTheProxyAdded(String strategy) {
        try (ReactiveThrottledService service = ReactiveThrottledService.start(throttledTo2(strategy))) {
            assertTwoPass(from -> status(service.get("/counted", from)));
        }
    }

    /** The left address is the client's own invention, and the right one is added by the proxy. */
    private static void assertTwoPass(UnaryOperator<String> request) {
        assertThat(request.apply("198.51.100.1, 203.0.113.7")).isNotEqualTo("429");
        assertThat(request.apply("198.51.100.2, 203.0.113.7")).isNotEqualTo("429");
        assertThat(request.apply("198.51.100.3, 203.0.113.7")).isEqualTo("429");
        assertThat(request.apply("198.51.100.4, 203.0.113.8")).isNotEqualTo("429");
    }

    private static String status(CompletableFuture<HttpResponse<byte[]>> answer) {
        return String.valueOf(answer.join().statusCode());
    }
}
