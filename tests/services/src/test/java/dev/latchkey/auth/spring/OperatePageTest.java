package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.shared.EmbeddedRedis;
import dev.latchkey.auth.store.LocalRevocations;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code docs/operations/README.md}, followed: configuration, commands with answers, and tables. */
class OperatePageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "operations", "README.md");
    private static final Pattern YAML = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");
    private static final Pattern COMMAND = Pattern.compile(
            "(?m)-H 'Content-Type: application/json' \\\\\\n *-d '(.*)' \\$node(\\S+)\\n *```\\n\\n *```json\\n *(.*)\\n *```");
    private static final Pattern TOKEN = Pattern.compile("\"(access|refresh)_token\":\"([^\"]+)\"");
    private static final String WITHOUT_SESSIONS = "--latchkey.login.refresh.enabled=false";
    private static final String HOME = "198.51.100.1";
    private static final String LOCKED = "203.0.113.7";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    /** A command of the page: body, path, and expected answer. */
    private record Command(String body, String path, String answer) {}

    @Test
    void commands_areAnsweredAsThePageSays() throws Exception {
        Map<String, Command> commands = commands();
        assertThat(commands)
                .containsOnlyKeys(
                        "/actuator/latchkeyunlock",
                        "/actuator/latchkeylimits/source",
                        "/actuator/latchkeylogout",
                        "/actuator/latchkeycaches",
                        "/actuator/latchkeylogins");
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis)) {
            String operator = tokens(node, "operator", HOME).get("access");
            String stolen = tokens(node, "alice", HOME).get("access");
            for (int i = 0; i < 5; i++) {
                assertThat(node.login("alice", "wrong" + i, LOCKED).join().statusCode())
                        .isEqualTo(401);
            }
            assertThat(node.login("alice", Services.PASSWORD, LOCKED).join().statusCode())
                    .isEqualTo(429);
            play(node, operator, commands.get("/actuator/latchkeyunlock"));
            assertThat(node.login("alice", Services.PASSWORD, LOCKED).join().statusCode())
                    .isEqualTo(200);
            play(node, operator, commands.get("/actuator/latchkeylimits/source"));
            assertThat(status(node, stolen)).isEqualTo(200);
            play(node, operator, commands.get("/actuator/latchkeylogout"));
            assertThat(status(node, stolen)).isEqualTo(401);
            play(node, operator, commands.get("/actuator/latchkeycaches"));
            play(node, operator, commands.get("/actuator/latchkeylogins"));
        }
    }

    @Test
    void probes_showWhatTheTableSays() throws Exception {
        Map<String, List<String>> rows = probes();
        List<String> events = new ArrayList<>(rows.keySet());
        assertThat(events).hasSize(6);
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis, "--latchkey.revocation.accept-stale-for=1h")) {
            assertThat(seen(node)).isEqualTo(rows.get(events.get(0)));
            redis.stop();
            LocalRevocations copy = node.bean(LocalRevocations.class);
            until(() -> copy.status().isFailing() && !copy.status().isFresh());
            assertThat(seen(node)).isEqualTo(rows.get(events.get(1)));
        }
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis)) {
            redis.stop();
            untilTrue(() -> seen(node).equals(rows.get(events.get(2))));
        }
        try (EmbeddedRedis redis = new EmbeddedRedis()) {
            redis.stop();
            try (GuardServer node = start(redis)) {
                assertThat(seen(node)).isEqualTo(rows.get(events.get(3)));
                redis.start();
                untilTrue(() -> seen(node).equals(rows.get(events.get(0))));
            }
        }
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis)) {
            assertThat(node.login("bob", "any").join().statusCode()).isEqualTo(503);
            assertThat(seen(node)).isEqualTo(rows.get(events.get(4)));
        }
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis, "--latchkey.health.required-plugins=ldap")) {
            assertThat(node.login("bob", "any").join().statusCode()).isEqualTo(503);
            assertThat(seen(node)).isEqualTo(rows.get(events.get(5)));
        }
    }

    /** The table of the section about Redis, row by row. */
    @Test
    void outageOfRedis_isAsTheTableSays() throws Exception {
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis)) {
            Map<String, String> alice = tokens(node, "alice", HOME);
            String access = alice.get("access");
            assertThat(status(node, access)).isEqualTo(200);
            redis.stop();
            untilTrue(() -> status(node, access) == 503);
            assertThat(node.get("/any", "alice", Services.PASSWORD, HOME).statusCode())
                    .isEqualTo(200);
            assertThat(node.login("alice", Services.PASSWORD, HOME).join().statusCode())
                    .isEqualTo(503);
            assertThat(refresh(node, alice.get("refresh"))).isEqualTo(503);
            assertThat(logout(node, access)).isEqualTo(503);
            redis.start();
            untilTrue(() -> status(node, access) == 200);
            assertThat(logout(node, access)).isEqualTo(204);
            assertThat(status(node, access)).isEqualTo(401);
        }
    }

    /** Of a service without refresh tokens, which keeps no sessions. */
    @Test
    void stolenAccount_isEndedWithoutSessionsToo() throws Exception {
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = start(redis, WITHOUT_SESSIONS)) {
            String operator = tokens(node, "operator", HOME).get("access");
            String stolen = tokens(node, "alice", HOME).get("access");
            assertThat(status(node, stolen)).isEqualTo(200);
            Command command = new Command(
                    "{\"account\":\"alice\"}", "/actuator/latchkeylogout", "{\"account\":\"alice\",\"logins\":0}");
            play(node, operator, command);
            assertThat(status(node, stolen)).isEqualTo(401);
        }
    }

    private static void untilTrue(Callable<Boolean> holds) {
        until(() -> {
            try {
                return holds.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void play(GuardServer node, String operator, Command command) throws Exception {
        HttpResponse<String> answer = post(node, command.path(), operator, command.body());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body())).isEqualTo(JSON.readTree(command.answer()));
    }

    private HttpResponse<String> post(GuardServer node, String path, String token, String body) throws Exception {
        return send(management(node, path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder management(GuardServer node, String path) {
        String port = node.bean(Environment.class).getRequiredProperty("local.management.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
    }

    private static int status(GuardServer node, String token) throws Exception {
        return node.send(node.request("/any").header("Authorization", "Bearer " + token))
                .statusCode();
    }

    private static int refresh(GuardServer node, String token) throws Exception {
        return node.send(node.request("/auth/token")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("grant_type=refresh_token&refresh_token=" + token)))
                .statusCode();
    }

    private static int logout(GuardServer node, String token) throws Exception {
        return node.send(node.request("/auth/logout")
                        .header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.noBody()))
                .statusCode();
    }

    /** Liveness, readiness, and {@code latchkey} with the plugins that are down, in the words of the table. */
    private List<String> seen(GuardServer node) throws IOException, InterruptedException {
        JsonNode latchkey = health(node, "/latchkey");
        String shown = latchkey.path("status").asText();
        JsonNode down = latchkey.path("details").path("down");
        return List.of(
                health(node, "/liveness").path("status").asText(),
                health(node, "/readiness").path("status").asText(),
                down.isMissingNode() || shown.equals("DOWN") ? shown : shown + ", with `\"down\":" + down + "`");
    }

    private JsonNode health(GuardServer node, String part) throws IOException, InterruptedException {
        return JSON.readTree(send(management(node, "/actuator/health" + part)
                        .header("Authorization", GuardServer.basic("operator", Services.PASSWORD)))
                .body());
    }

    private static Map<String, List<String>> probes() throws IOException {
        String page = Files.readString(PAGE);
        Map<String, List<String>> rows = new LinkedHashMap<>();
        page.substring(page.indexOf("<!-- probes -->"), page.indexOf("<!-- /probes -->"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| event") && !line.startsWith("| ---"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
                .forEach(cells -> rows.put(
                        cells[0], List.of(cells[1], cells[2], cells[3].replaceFirst(" for 30 seconds .*", ""))));
        return rows;
    }

    private static Map<String, Command> commands() throws IOException {
        Map<String, Command> commands = new LinkedHashMap<>();
        Matcher found = COMMAND.matcher(Files.readString(PAGE));
        while (found.find()) {
            commands.put(found.group(2), new Command(found.group(1), found.group(2), found.group(3)));
        }
        return commands;
    }

    private static Map<String, String> tokens(GuardServer node, String name, String from) {
        HttpResponse<String> answer = node.login(name, Services.PASSWORD, from).join();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Map<String, String> tokens = new LinkedHashMap<>();
        Matcher token = TOKEN.matcher(answer.body());
        while (token.find()) {
            tokens.put(token.group(1), token.group(2));
        }
        return tokens;
    }

    private static GuardServer start(EmbeddedRedis redis, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(configuration());
        arguments.addAll(List.of(
                "--management.server.port=0",
                "--latchkey.store=redis",
                "--spring.data.redis.port=" + redis.port(),
                "--latchkey.service=shop",
                "--latchkey.jwt.secret=" + Services.KEY,
                "--latchkey.login.enabled=true",
                "--latchkey.plugins=jwt,users,ldap"));
        arguments.addAll(List.of(more));
        // Two values of one name would be a list.
        if (!arguments.contains(WITHOUT_SESSIONS)) {
            arguments.add("--latchkey.login.refresh.enabled=true");
        }
        return GuardServer.start(Service.class, arguments.toArray(String[]::new));
    }

    /** As the page writes it. */
    private static List<String> configuration() throws IOException {
        Matcher yaml = YAML.matcher(Files.readString(PAGE));
        assertThat(yaml.find()).isTrue();
        byte[] text = yaml.group(1).stripIndent().getBytes(StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>();
        for (PropertySource<?> source : new YamlPropertySourceLoader().load("page", new ByteArrayResource(text))) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                // Any free port in place of the page's.
                if (!name.equals("management.server.port")) {
                    arguments.add("--" + name + "=" + source.getProperty(name));
                }
            }
        }
        assertThat(arguments).hasSizeGreaterThan(5);
        return arguments;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WithRedis.class)
    static class Service {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .with(latchkey(), Customizer.withDefaults())
                    .build();
        }

        @Bean
        PasswordEncoder encoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        InMemoryUserDetailsManager accounts(PasswordEncoder encoder) {
            String stored = encoder.encode(Services.PASSWORD);
            return new InMemoryUserDetailsManager(Stream.of("alice", "operator")
                    .map(name -> User.withUsername(name)
                            .password(stored)
                            .roles("USER")
                            .build())
                    .toArray(UserDetails[]::new));
        }

        @Bean
        RouterFunction<ServerResponse> any() {
            return RouterFunctions.route()
                    .GET("/any", request -> ServerResponse.ok().body("any"))
                    .build();
        }

        /** A directory that does not answer. */
        @Bean
        LoginSource<PasswordCredentials> ldap() {
            return new LoginSource<>() {
                @Override
                public String name() {
                    return "ldap";
                }

                @Override
                public Class<PasswordCredentials> kind() {
                    return PasswordCredentials.class;
                }

                @Override
                public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
                    throw AuthUnavailableException.outage("The directory of this test is down");
                }
            };
        }
    }
}
