package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Services with directories by configuration alone, on servlets and on WebFlux.
 *
 * <p>The directories start once, and so does the service with the default settings, on each stack. No test shares data with
 * another test: each test has a person of its own, known to both directories.
 */
@Tag("long")
class LdapServiceTest {

    private static final int BURST = 1_000;
    private static final int CLIENTS = 20;
    private static final Pattern REFRESH_TOKEN = Pattern.compile("\"refresh_token\":\"([^\"]+)\"");

    private static final AtomicInteger PEOPLE = new AtomicInteger();
    private static final Map<WebApplicationType, ConfigurableApplicationContext> SHARED = new ConcurrentHashMap<>();

    private static TestDirectory emea;
    private static TestDirectory apac;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String name = "person" + PEOPLE.incrementAndGet();
    private final String dn = "uid=" + name + "," + TestDirectory.PEOPLE;
    private int bindsBefore;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Service {

        /** The first closed server would end the default threads of all servers of the JVM. */
        @Bean
        ReactorResourceFactory threadsOfItsOwn() {
            ReactorResourceFactory threads = new ReactorResourceFactory();
            threads.setUseGlobalResources(false);
            return threads;
        }
    }

    @RestController
    static class Api {

        @GetMapping("/me")
        String me(Authentication login) {
            return login.getName()
                    + login.getAuthorities().stream()
                            .map(Object::toString)
                            .filter(authority -> authority.startsWith("ROLE_"))
                            .sorted()
                            .toList();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        emea = TestDirectory.start();
        apac = TestDirectory.start().person("hedy", "Frequency-Hopping-1");
    }

    @BeforeEach
    void join() throws Exception {
        emea.person(name, TestDirectory.PASSWORD);
        apac.person(name, TestDirectory.PASSWORD);
        emea.failSearches(ResultCode.SUCCESS);
        bindsBefore = emea.bindsOfPeople().size();
    }

    @AfterAll
    static void stop() {
        SHARED.values().forEach(ConfigurableApplicationContext::close);
        SHARED.clear();
        emea.close();
        apac.close();
    }

    private static ConfigurableApplicationContext shared(WebApplicationType stack) {
        return SHARED.computeIfAbsent(stack, LdapServiceTest::service);
    }

    private static ConfigurableApplicationContext service(WebApplicationType stack, String... more) {
        SpringApplication service = new SpringApplication(Service.class);
        service.setWebApplicationType(stack);
        service.setLogStartupInfo(false);
        Map<String, Object> all = new HashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "latchkey.plugins", "jwt,emea,apac",
                "latchkey.login.enabled", "true",
                "latchkey.login.refresh.enabled", "true",
                "latchkey.jwt.secret", "IiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEE="));
        for (var directory : Map.of("emea", emea, "apac", apac).entrySet()) {
            String prefix = "latchkey.plugin." + directory.getKey() + ".";
            all.put(prefix + "type", "ldap");
            directory.getValue().settings().forEach((key, value) -> all.put(prefix + key, value));
        }
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        service.setDefaultProperties(all);
        return service.run();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void basicLogins_areDecidedByTheDirectories(WebApplicationType stack) throws Exception {
        ConfigurableApplicationContext service = shared(stack);
        HttpResponse<String> ada = basic(service, "ada", TestDirectory.PASSWORD);
        assertThat(ada.statusCode()).isEqualTo(200);
        assertThat(ada.body()).isEqualTo("ada[ROLE_ADMINS, ROLE_DEVELOPERS]");
        assertThat(basic(service, "hedy", "Frequency-Hopping-1").statusCode()).isEqualTo(200);
        assertThat(basic(service, "ada", "Incorrect-Horse").statusCode()).isEqualTo(401);
        assertThat(basic(service, "nobody", "Incorrect-Horse").statusCode()).isEqualTo(401);
        assertThat(basic(service, "ada", "").statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void burstOfOneUser_isOneBind(WebApplicationType stack) throws Exception {
        ConfigurableApplicationContext service = shared(stack);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<CompletableFuture<Integer>> requests = IntStream.range(0, BURST)
                    .mapToObj(request -> CompletableFuture.supplyAsync(
                            () -> basic(service, name, TestDirectory.PASSWORD).statusCode(), clients))
                    .toList();
            assertThat(requests.stream().map(CompletableFuture::join)).containsOnly(200);
            assertThat(binds()).containsExactly(dn);
        } finally {
            clients.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void withoutTheCache_eachRequestIsABind(WebApplicationType stack) throws Exception {
        try (ConfigurableApplicationContext service = service(stack, "latchkey.plugin.emea.cache-expiry", "0s")) {
            for (int request = 0; request < 3; request++) {
                assertThat(basic(service, name, TestDirectory.PASSWORD).statusCode())
                        .isEqualTo(200);
            }
            assertThat(binds()).containsExactly(dn, dn, dn);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void login_isProlonged_untilItsAccountIsSwitchedOff(WebApplicationType stack) throws Exception {
        ConfigurableApplicationContext service = shared(stack);
        HttpResponse<String> first = login(service, name, TestDirectory.PASSWORD);
        assertThat(first.statusCode()).isEqualTo(200);
        HttpResponse<String> second = refresh(service, first);
        assertThat(second.statusCode()).isEqualTo(200);
        emea.modify(dn, "add: nsAccountLock", "nsAccountLock: true");
        HttpResponse<String> third = refresh(service, second);
        assertThat(third.statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void login_endsWithAChangedPassword_andWaitsForADirectoryThatIsDown(WebApplicationType stack) throws Exception {
        ConfigurableApplicationContext service = shared(stack);
        HttpResponse<String> first = login(service, name, TestDirectory.PASSWORD);
        emea.failSearches(ResultCode.UNAVAILABLE);
        assertThat(refresh(service, first).statusCode()).isEqualTo(503);
        emea.failSearches(ResultCode.SUCCESS);
        HttpResponse<String> second = refresh(service, first);
        assertThat(second.statusCode()).isEqualTo(200);
        emea.modify(dn, "add: pwdChangedTime", "pwdChangedTime: 20261122120000Z");
        HttpResponse<String> third = refresh(service, second);
        assertThat(third.statusCode()).isEqualTo(401);
    }

    /**
     * The directory apac knows ada too, and is not asked: otherwise an attacker could choose the deciding directory by taking
     * emea down.
     */
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void directoryThatIsDown_is503_exceptForWhoIsRemembered(WebApplicationType stack) throws Exception {
        try (TestDirectory down = TestDirectory.start();
                ConfigurableApplicationContext service = service(
                        stack, "latchkey.plugin.emea.urls", down.settings().get("urls"))) {
            assertThat(basic(service, "ada", TestDirectory.PASSWORD).statusCode())
                    .isEqualTo(200);
            down.stop();
            assertThat(basic(service, "ada", TestDirectory.PASSWORD).statusCode())
                    .isEqualTo(200);
            assertThat(basic(service, "grace", TestDirectory.OTHER_PASSWORD).statusCode())
                    .isEqualTo(503);
            assertThat(login(service, "grace", "Incorrect-Horse").statusCode()).isEqualTo(503);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void callerThatIsRemembered_isLetIn_whileTheDirectoryHangsAndAllItsPlacesAreTaken(WebApplicationType stack)
            throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try (ConfigurableApplicationContext service =
                service(stack, "latchkey.plugin.emea.max-concurrent", "1", "latchkey.plugin.emea.timeout", "20s")) {
            assertThat(basic(service, name, TestDirectory.PASSWORD).statusCode())
                    .isEqualTo(200);
            CompletableFuture<Integer> waiting;
            try (TestDirectory.Pause hanging = emea.hang()) {
                waiting = CompletableFuture.supplyAsync(
                        () -> basic(service, "grace", TestDirectory.OTHER_PASSWORD)
                                .statusCode(),
                        clients);
                hanging.awaitAsked();
                assertThat(basic(service, "linus", TestDirectory.LONG_PASSWORD).statusCode())
                        .isEqualTo(503);
                assertThat(basic(service, name, TestDirectory.PASSWORD).statusCode())
                        .isEqualTo(200);
            }
            assertThat(waiting.join()).isEqualTo(200);
        } finally {
            clients.shutdownNow();
        }
    }

    /** The binds in emea since the beginning of this test. */
    private List<String> binds() {
        return emea.bindsOfPeople().stream().skip(bindsBefore).toList();
    }

    private HttpResponse<String> basic(ConfigurableApplicationContext service, String name, String password) {
        String login = Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return send(request(service, "/me")
                .header("Authorization", "Basic " + login)
                .build());
    }

    private HttpResponse<String> login(ConfigurableApplicationContext service, String name, String password) {
        return post(service, "/auth/token", "{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    private HttpResponse<String> refresh(ConfigurableApplicationContext service, HttpResponse<String> login) {
        Matcher token = REFRESH_TOKEN.matcher(login.body());
        assertThat(token.find()).as(login.body()).isTrue();
        return post(service, "/auth/token", "{\"refresh_token\":\"" + token.group(1) + "\"}");
    }

    private HttpResponse<String> post(ConfigurableApplicationContext service, String path, String body) {
        return send(request(service, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext service, String path) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
