package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An operator watches throttles and changes their rates, by the actuator over HTTP and over JMX. */
class ThrottleOperationsTest {

    private static final String PATH = "/actuator/latchkeythrottles";

    private static ThrottledService service;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        service = ThrottledService.start(
                Audited.class,
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.exposure.include=latchkeythrottles",
                "management.endpoints.web.exposure.include=latchkeythrottles",
                "management.endpoint.latchkeythrottles.access=unrestricted",
                "latchkey.throttle.downloads.paths=/files/**",
                "latchkey.throttle.downloads.global.tokens=1000",
                "latchkey.throttle.once.paths=/counted",
                "latchkey.throttle.once.global.tokens=1",
                "latchkey.throttle.once.global.per=1d");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void rateThatIsChangedOverHttp_holdsAtOnce_isShown_andAudited() throws Exception {
        HttpResponse<String> changed = post("/downloads", "{\"scope\":\"source\",\"tokens\":500,\"per\":\"10s\"}");
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(service.controls().snapshot("downloads").rates())
                .containsEntry(ThrottleScope.SOURCE, new BucketRate(500, Duration.ofSeconds(10), 1));
        assertThat(get().body())
                .contains("\"source\":{\"tokens\":500,\"per\":\"PT10S\"")
                .contains("\"global\":{\"tokens\":1000,\"per\":\"PT1S\"");
        assertThat(lastAudit().getData())
                .isEqualTo(Map.of("limit", "downloads-source", "before", "none", "after", "500 in PT10S, 1 at once"));
        assertThat(delete("/downloads/source").statusCode()).isEqualTo(200);
        assertThat(service.controls().snapshot("downloads").rates()).doesNotContainKey(ThrottleScope.SOURCE);
        assertThat(lastAudit().getData()).containsEntry("after", "none");
    }

    @Test
    void rateThatIsChangedOverJmx_holdsAtOnce_andIsAuditedAsSuch() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName endpoint = new ObjectName("org.springframework.boot:type=Endpoint,name=Latchkeythrottles");
        server.invoke(endpoint, "changeRate", new Object[] {"downloads", "principal", 7L, "1m", 3L}, new String[] {
            String.class.getName(),
            String.class.getName(),
            Long.class.getName(),
            String.class.getName(),
            Long.class.getName()
        });
        assertThat(service.controls().snapshot("downloads").rates())
                .containsEntry(ThrottleScope.PRINCIPAL, new BucketRate(7, Duration.ofMinutes(1), 3));
        assertThat(lastAudit().getPrincipal()).isEqualTo("jmx");
    }

    @Test
    void changeThatMakesNoSense_isABadRequest() throws Exception {
        assertThat(post("/uploads", "{\"scope\":\"source\",\"tokens\":5}").statusCode())
                .isEqualTo(400);
        assertThat(post("/downloads", "{\"scope\":\"moon\",\"tokens\":5}").statusCode())
                .isEqualTo(400);
        assertThat(post("/downloads", "{\"scope\":\"source\"}").statusCode()).isEqualTo(400);
        assertThat(post("/downloads", "{\"scope\":\"source\",\"tokens\":-5}").statusCode())
                .isEqualTo(400);
        assertThat(post("/downloads", "{\"scope\":\"source\",\"tokens\":5,\"per\":\"5\"}")
                        .statusCode())
                .isEqualTo(400);
        HttpResponse<String> soon = post("/downloads", "{\"scope\":\"source\",\"tokens\":5,\"per\":\"soon\"}");
        assertThat(soon.statusCode()).isEqualTo(400);
        assertThat(soon.body())
                .isEqualTo("{\"status\":400,\"error\":\"Bad Request\",\"message\":\"'soon' is not a valid duration\"}");
    }

    @Test
    void changeWithAnEmptyParameter_isABadRequest() throws Exception {
        HttpResponse<String> withoutTokens = post("/downloads", "{\"scope\":\"source\",\"tokens\":\"\"}");
        assertThat(withoutTokens.statusCode()).isEqualTo(400);
        assertThat(withoutTokens.body()).contains("The parameter 'tokens' is missing");
        HttpResponse<String> withoutScope = post("/downloads", "{\"scope\":\"\",\"tokens\":5}");
        assertThat(withoutScope.statusCode()).isEqualTo(400);
        assertThat(withoutScope.body()).contains("The parameter 'scope' is missing");
    }

    @Test
    void changeWithoutAccess_isRefused() throws Exception {
        try (ThrottledService restricted = ThrottledService.start(
                "management.endpoints.web.exposure.include=latchkeythrottles",
                "latchkey.throttle.downloads.global.tokens=1000")) {
            HttpRequest change = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + restricted.port() + PATH + "/downloads"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"scope\":\"source\",\"tokens\":5}"))
                    .build();
            assertThat(client.send(change, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isBetween(400, 499);
        }
    }

    @Test
    void reference_namesEveryMeterAndItsTags() throws IOException {
        service.get("/counted").join();
        service.get("/counted").join();
        Map<String, Set<String>> measured = new TreeMap<>();
        for (Meter meter : service.bean(MeterRegistry.class).getMeters()) {
            if (meter.getId().getName().startsWith("latchkey.")) {
                Set<String> tags = measured.computeIfAbsent(meter.getId().getName(), name -> new TreeSet<>());
                meter.getId().getTags().stream().map(Tag::getKey).forEach(tags::add);
            }
        }
        assertThat(measured).isEqualTo(documented());
    }

    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> meters = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `(latchkey\\.throttle[a-z.]*)` \\| [a-z]+ \\|([^|]*)\\|")
                .matcher(Files.readString(Path.of("..", "docs", "reference", "meters.md")));
        while (row.find()) {
            Set<String> tags = new TreeSet<>();
            Matcher tag = Pattern.compile("`([a-z]+)`").matcher(row.group(2));
            while (tag.find()) {
                tags.add(tag.group(1));
            }
            meters.put(row.group(1), tags);
        }
        return meters;
    }

    private static AuditEvent lastAudit() {
        return service.bean(AuditEventRepository.class).find(null, null, "LATCHKEY_LIMIT_CHANGED").stream()
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private HttpResponse<String> get() throws Exception {
        return send(request("").GET());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> delete(String path) throws Exception {
        return send(request(path).DELETE());
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + service.port() + PATH + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    static class Audited {

        @Bean
        AuditEventRepository audit() {
            return new InMemoryAuditEventRepository();
        }
    }
}
