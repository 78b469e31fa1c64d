package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.SecretKeys;
import dev.latchkey.plugins.codes.StoredCodes;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * Permissions and one-time codes in a WebFlux service, on every line. The quickstart has them in a servlet service on the newest line, and their own
 * tests on the oldest.
 */
class PluginsIT {

    private static final Map<String, Object> SERVICE = Map.ofEntries(
            Map.entry("server.port", "0"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("spring.application.name", "lines"),
            Map.entry("latchkey.guard.max-wait", "60s"),
            Map.entry("latchkey.guard.refusals.delay", "0s"),
            Map.entry("latchkey.jwt.secret", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="),
            Map.entry("latchkey.login.enabled", "true"),
            Map.entry("latchkey.permissions.policy.store", "properties"),
            Map.entry("latchkey.permissions.policy.roles.reader.permissions", "r ns:public:*"),
            Map.entry("latchkey.permissions.policy.subjects.ada", "reader"),
            Map.entry("latchkey.plugin.one-time-codes.endpoints-enabled", "true"),
            Map.entry("latchkey.plugin.one-time-codes.remember-devices", "true"));

    private static final String PASSWORD = "{\"username\":\"ada\",\"password\":\"pw\"}";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void userEnrols_logsInWithTwoSteps_isRemembered_andMayDoWhatTheRolesSay() throws Exception {
        SpringApplication application = new SpringApplication(Service.class);
        application.setDefaultProperties(SERVICE);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        // The other services of this line have no key for codes.
        try (ConfigurableApplicationContext service =
                application.run("--latchkey.plugin.one-time-codes.enabled=true")) {
            String base = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
            String token = member(post(base + "/auth/token", "", PASSWORD), "access_token");
            assertThat(get(base + "/ns/public", token)).isEqualTo("200 public");
            assertThat(get(base + "/ns/secret", token)).startsWith("403");

            String secret = member(post(base + "/auth/codes", token, PASSWORD), "secret");
            String code = "{\"code\":\"" + codeOf(secret, 0) + "\"}";
            assertThat(post(base + "/auth/codes/confirm", token, code)).startsWith("200");

            String first = post(base + "/auth/token", "", PASSWORD);
            assertThat(first).startsWith("401");
            String response = "{\"continuation\":\"" + member(first, "continuation") + "\",\"code\":\""
                    + codeOf(secret, 1) + "\",\"remember_device\":true}";
            String second = post(base + "/auth/token", "", response);
            assertThat(get(base + "/ns/public", member(second, "access_token"))).isEqualTo("200 public");
            assertThat(get(base + "/factors", member(second, "access_token")))
                    .isEqualTo("200 [FACTOR_OTT, FACTOR_PASSWORD]");

            HttpRequest.Builder remembered = to(base + "/auth/token", "")
                    .header("Latchkey-Device", member(second, "device_token"))
                    .POST(HttpRequest.BodyPublishers.ofString(PASSWORD));
            String again = send(remembered);
            assertThat(get(base + "/factors", member(again, "access_token"))).isEqualTo("200 []");
            assertThat(get(base + "/auth/codes/devices", token)).startsWith("200 {\"devices\":[{");
            assertThat(send(to(base + "/auth/codes/devices", token).DELETE())).startsWith("200");
            assertThat(send(remembered)).startsWith("401");
        }
    }

    private String get(String uri, String token) throws Exception {
        return send(to(uri, token));
    }

    private String post(String uri, String token, String json) throws Exception {
        return send(to(uri, token).POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private static HttpRequest.Builder to(String uri, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json");
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private String send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private static String member(String answer, String name) {
        Matcher member = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(answer);
        assertThat(member.find()).as("%s in %s", name, answer).isTrue();
        return member.group(1);
    }

    /** What an app shows; the codes of two steps, since each is good once, and the server takes the next one too. */
    private static String codeOf(String secret, int stepsLater) throws Exception {
        BigInteger key = BigInteger.ONE;
        for (int i = 0; i < secret.length(); i++) {
            int quintet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(secret.charAt(i));
            key = key.shiftLeft(5).or(BigInteger.valueOf(quintet));
        }
        // Without the leading one, which keeps leading zeros.
        byte[] bytes = key.toByteArray();
        SecretKeySpec shared = new SecretKeySpec(bytes, 1, bytes.length - 1, "HmacSHA1");
        Instant then = Instant.now().plusSeconds(30L * stepsLater);
        return new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(shared, then);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Service {

        /** With a hash that no login replaces: with the password, the devices of an account end. */
        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(User.withUsername("ada")
                    .password(PasswordEncoderFactories.createDelegatingPasswordEncoder()
                            .encode("pw"))
                    .authorities("USER")
                    .build());
        }

        @Bean
        CodeStore codes() {
            return new MapCodes();
        }

        @Bean
        SecretKeys codesKey() {
            return SecretKeys.of(Secret.of(new byte[32]));
        }

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/ns/{ns}")
                            .access(latchkey.permission("ns:{ns}:config", "r"))
                            .anyExchange()
                            .authenticated())
                    .csrf(CsrfSpec::disable)
                    .build();
        }
    }

    @RestController
    public static class Api {

        @GetMapping("/ns/{ns}")
        Mono<String> namespace(@PathVariable("ns") String namespace) {
            return Mono.just(namespace);
        }

        @GetMapping("/factors")
        Mono<String> factors(Authentication login) {
            return Mono.just(login.getAuthorities().stream()
                    .map(each -> String.valueOf(each.getAuthority()))
                    .filter(each -> each.startsWith("FACTOR_"))
                    .sorted()
                    .toList()
                    .toString());
        }
    }

    private static final class MapCodes implements CodeStore {

        private final ConcurrentMap<String, StoredCodes> entries = new ConcurrentHashMap<>();

        @Override
        public Optional<StoredCodes> find(String account) {
            return Optional.ofNullable(entries.get(account));
        }

        @Override
        public boolean insert(String account, StoredCodes codes) {
            return entries.putIfAbsent(account, codes) == null;
        }

        @Override
        public boolean update(String account, String revision, StoredCodes codes) {
            StoredCodes before = entries.get(account);
            return before != null && before.revision().equals(revision) && entries.replace(account, before, codes);
        }

        @Override
        public boolean delete(String account) {
            return entries.remove(account) != null;
        }
    }
}
