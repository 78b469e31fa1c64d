package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On WebFlux, the actuator's own port has the filters of the service. A flood of the service must not stop a probe. */
class ManagementPortTest {

    @Test
    void actuatorsOwnPort_isNotThrottled() throws Exception {
        try (ReactiveThrottledService service = ReactiveThrottledService.start(
                "management.server.port=0",
                "latchkey.throttle.all.global.tokens=1",
                "latchkey.throttle.all.global.burst=1",
                "latchkey.throttle.all.global.per=1d")) {
            assertThat(IntStream.range(0, 3)
                            .map(i -> service.get("/plain", "192.0.2.1").join().statusCode()))
                    .containsExactly(200, 503, 503);
            URI probe = URI.create("http://localhost:" + service.managementPort() + "/actuator/health");
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(probe).build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
