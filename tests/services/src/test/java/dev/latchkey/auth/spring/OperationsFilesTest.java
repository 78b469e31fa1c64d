package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.shared.EmbeddedRedis;
import dev.latchkey.auth.spring.token.TokenListener;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.yaml.snakeyaml.Yaml;

/**
 * The dashboard and the alert rules of {@code docs/operations} name the meters of a running service as Prometheus sees them, and
 * the page explains each panel and each rule. With Prometheus installed, Prometheus itself runs all queries and the tests of the
 * rules.
 */
class OperationsFilesTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path RULES = DOCS.resolve("operations/latchkey-alerts.yml");
    private static final Duration SOME_TIME = Duration.ofMillis(7);

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(latchkey_\\w+)(?:\\{(.*)\\})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern METRIC = Pattern.compile("(latchkey_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(!?=~?)\"([^\"]*)\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([\\w, ]+)\\)");

    /** Labels that Prometheus adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance", "alertname");

    private static EmbeddedRedis redis;
    private static GuardServer server;

    /** Each metric with its labels and their values. */
    private static Map<String, Map<String, Set<String>>> scraped;

    @BeforeAll
    static void letEverythingHappenOnce() throws Exception {
        redis = new EmbeddedRedis();
        server = GuardServer.start(
                Service.class,
                "--latchkey.store=redis",
                "--spring.data.redis.port=" + redis.port(),
                "--latchkey.service=shop",
                "--spring.security.user.name=alice",
                "--spring.security.user.password={noop}" + Services.PASSWORD,
                "--management.endpoints.web.exposure.include=prometheus",
                "--latchkey.jwt.secret=" + Services.KEY,
                "--latchkey.login.enabled=true",
                "--latchkey.plugins=directory,users,jwt",
                "--latchkey.throttle.downloads.paths=/files/**",
                "--latchkey.throttle.downloads.global.tokens=10");
        assertThat(server.login("alice", Services.PASSWORD).join().statusCode()).isEqualTo(200);
        assertThat(server.send(server.request("/any").header("Authorization", "Bearer none"))
                        .statusCode())
                .isEqualTo(401);
        server.bean(AllMeters.class).binders().forEach(OperationsFilesTest::tell);
        scraped = samplesIn(server.get("/actuator/prometheus").body());
    }

    @AfterAll
    static void stop() {
        server.close();
        redis.close();
    }

    private static void tell(MeterBinder meters) {
        if (meters instanceof AuthListener listener) {
            Class<? extends Credentials> password = PasswordCredentials.class;
            Subject alice = Subject.of("alice");
            Stream.of(
                            new AuthEvent.Decided(
                                    "users",
                                    password,
                                    "alice",
                                    Rejected.because(RejectionReason.BAD_CREDENTIALS),
                                    SOME_TIME),
                            new AuthEvent.Unavailable(
                                    "users", password, "alice", AuthUnavailableException.Kind.OUTAGE, SOME_TIME),
                            new AuthEvent.Unavailable(
                                    "users", password, "alice", AuthUnavailableException.Kind.THROTTLED, SOME_TIME),
                            new AuthEvent.Failed("users", password, "alice", SOME_TIME),
                            new AuthEvent.AccessDecided("", alice, new Permission("orders", "read"), true),
                            new AuthEvent.Revoked(BearerToken.class),
                            new AuthEvent.SubjectRevoked("alice"))
                    .forEach(listener::on);
        }
        if (meters instanceof LoginListener listener) {
            listener.ended("alice", LoginListener.Cause.REUSE);
            listener.refused("alice");
        }
        if (meters instanceof TokenListener listener) {
            listener.checked("bad_mac");
        }
        if (meters instanceof GuardListener listener) {
            listener.on(new GuardEvent.Hashed(SOME_TIME, SOME_TIME));
            listener.on(new GuardEvent.HashRefused(SOME_TIME));
            listener.on(new GuardEvent.LoginRefused(LoginLimit.SOURCE, SOME_TIME));
            listener.on(new GuardEvent.LoginSettled(AttemptResult.SUCCEEDED));
            listener.on(new GuardEvent.LoginSettled(AttemptResult.FAILED));
        }
        if (meters instanceof ThrottleListener listener) {
            listener.on(new ThrottleEvent.Refused("downloads", ThrottleScope.GLOBAL, SOME_TIME));
        }
    }

    @Test
    void dashboard_namesMetersAndLabelsOfTheService() throws IOException {
        Map<String, List<String>> panels = panels();
        assertThat(panels).hasSizeGreaterThan(20);
        panels.forEach((panel, queries) -> assertThat(queries)
                .isNotEmpty()
                .allSatisfy(query -> assertThat(unknownIn(query)).as(panel).isEmpty()));
    }

    @Test
    void rules_nameMetersAndLabelsOfTheService() throws IOException {
        assertThat(rules())
                .hasSize(16)
                .allSatisfy((name, expression) ->
                        assertThat(unknownIn(expression)).as(name).isEmpty());
    }

    @Test
    void wrongNames_areFound() {
        assertThat(unknownIn("rate(latchkey_login_total[5m])")).containsExactly("latchkey_login_total");
        assertThat(unknownIn("sum by (result) (rate(latchkey_logins_total[5m]))"))
                .containsExactly("result");
        assertThat(unknownIn("latchkey_logins_total{outcom=\"failed\"}")).containsExactly("outcom");
        assertThat(unknownIn("latchkey_logins_total{outcome=~\"fail\"}")).containsExactly("outcome=~fail");
    }

    @Test
    void dashboard_showsEachMeter() throws IOException {
        String queries = String.join(
                "\n", panels().values().stream().flatMap(List::stream).toList());
        Set<String> shown = new TreeSet<>();
        METRIC.matcher(queries).results().forEach(found -> shown.add(family(found.group(1))));
        Set<String> all = new TreeSet<>();
        scraped.keySet().forEach(name -> all.add(family(name)));
        // These are for a closer look, beside a panel that shows the same in another form.
        all.removeAll(Set.of(
                "latchkey_authentication_active",
                "latchkey_cache_hash_cores",
                "latchkey_cache_load_mean",
                "latchkey_cache_loads",
                "latchkey_cache_loads_active",
                "latchkey_cache_saved",
                "latchkey_hashing_memory",
                "latchkey_limits_remembered",
                "latchkey_throttle_buckets"));
        assertThat(shown).isEqualTo(all);
    }

    @Test
    void page_explainsEachPanelAndEachRule() throws IOException {
        String page = Files.readString(DOCS.resolve("how-to/watch-with-prometheus.md"));
        assertThat(rowsIn(page, "### ", "## The alerts")).containsExactlyElementsOf(panels().keySet());
        assertThat(rowsIn(page, "## The alerts", "The tests of the rules"))
                .containsExactlyElementsOf(
                        rules().keySet().stream().map(name -> "`" + name + "`").toList());
    }

    @Test
    void realPrometheus_runsEachQuery(@TempDir Path folder) throws Exception {
        Optional<Path> program = PrometheusServer.program("prometheus");
        if (program.isEmpty()) {
            assertThat(panels()).isNotEmpty();
            return;
        }
        try (PrometheusServer prometheus = PrometheusServer.start(program.get(), folder, server.port(), RULES)) {
            Until.until(
                    () -> prometheus.query("rate(latchkey_logins_total[1m])").size() > 0);
            panels().forEach((panel, queries) -> assertThat(queries)
                    .allSatisfy(query -> assertThat(prometheus.query(query.replace("$__rate_interval", "1m")
                                    .replace("$job", ".*")
                                    .replace("$instance", ".*")))
                            .as(panel)
                            .isNotEmpty()));
            Until.until(() -> healthOfRules(prometheus).equals(Set.of("ok")));
        }
    }

    @Test
    void promtool_seesEachRuleFire_andNoneForAHealthyService(@TempDir Path folder) throws Exception {
        Optional<Path> program = PrometheusServer.program("promtool");
        Path tests = DOCS.resolve("operations/latchkey-alerts-test.yml");
        assertThat(rules().keySet())
                .allSatisfy(rule -> assertThat(tests).content().contains('"' + rule + '"'));
        if (program.isEmpty()) {
            return;
        }
        Path output = folder.resolve("promtool.txt");
        Process promtool = new ProcessBuilder(program.get().toString(), "test", "rules", tests.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(promtool.exitValue()).as(Files.readString(output)).isZero();
    }

    private static Set<String> healthOfRules(PrometheusServer prometheus) {
        Set<String> health = new HashSet<>();
        prometheus
                .get("/api/v1/rules")
                .at("/data/groups/0/rules")
                .forEach(rule -> health.add(rule.path("health").asText()));
        return health;
    }

    /** The names of metrics and labels, and the values of labels, that the service does not have. */
    private static Set<String> unknownIn(String expression) {
        Set<String> unknown = new TreeSet<>();
        Set<String> known = new HashSet<>(OF_PROMETHEUS);
        for (MatchResult metric : METRIC.matcher(expression).results().toList()) {
            Map<String, Set<String>> labels = scraped.get(metric.group(1));
            if (labels == null) {
                unknown.add(metric.group(1));
                continue;
            }
            known.addAll(labels.keySet());
            MATCHER.matcher(metric.group(2) == null ? "" : metric.group(2))
                    .results()
                    .forEach(matcher -> {
                        String label = matcher.group(1);
                        if (!OF_PROMETHEUS.contains(label) && !labels.containsKey(label)) {
                            unknown.add(label);
                        } else if (!OF_PROMETHEUS.contains(label)) {
                            unknown.addAll(unknownValues(matcher, labels.get(label)));
                        }
                    });
        }
        GROUPED.matcher(expression).results().forEach(group -> {
            for (String label : group.group(1).split(", ", -1)) {
                if (!known.contains(label)) {
                    unknown.add(label);
                }
            }
        });
        return unknown;
    }

    private static Set<String> unknownValues(MatchResult matcher, Set<String> values) {
        Set<String> unknown = new TreeSet<>();
        for (String value : matcher.group(3).split("\\|", -1)) {
            boolean isKnown = values.stream().anyMatch(each -> each.matches(value));
            if (!isKnown) {
                unknown.add(matcher.group(1) + matcher.group(2) + value);
            }
        }
        return unknown;
    }

    /** Without the endings that Prometheus gives to the parts of a meter. */
    private static String family(String metric) {
        return metric.replaceFirst("(_active)?_seconds_(count|sum|max|active_count|duration_sum)$", "$1")
                .replaceFirst("_(total|bytes|seconds)$", "");
    }

    private static Map<String, Map<String, Set<String>>> samplesIn(String text) {
        Map<String, Map<String, Set<String>>> metrics = new HashMap<>();
        Matcher sample = SAMPLE.matcher(text);
        while (sample.find()) {
            Map<String, Set<String>> labels = metrics.computeIfAbsent(sample.group(1), name -> new HashMap<>());
            String written = sample.group(2) == null ? "" : sample.group(2);
            LABEL.matcher(written)
                    .results()
                    .forEach(label -> labels.computeIfAbsent(label.group(1), key -> new HashSet<>())
                            .add(label.group(2)));
        }
        return metrics;
    }

    private static Map<String, List<String>> panels() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(DOCS.resolve("operations/latchkey-dashboard.json").toFile());
        Map<String, List<String>> panels = new LinkedHashMap<>();
        dashboard.path("panels").forEach(panel -> {
            if (!panel.path("type").asText().equals("row")) {
                panels.put(panel.path("title").asText(), panel.path("targets").findValuesAsText("expr"));
            }
        });
        return panels;
    }

    private static Map<String, String> rules() throws IOException {
        Map<String, List<Map<String, List<Map<String, String>>>>> file = new Yaml().load(Files.readString(RULES));
        Map<String, String> rules = new LinkedHashMap<>();
        file.get("groups").get(0).get("rules").forEach(rule -> rules.put(rule.get("alert"), rule.get("expr")));
        return rules;
    }

    private static List<String> rowsIn(String page, String from, String to) {
        String part = page.substring(page.indexOf(from), page.indexOf(to));
        return Pattern.compile("(?m)^\\| ([^|]+) \\|")
                .matcher(part)
                .results()
                .map(row -> row.group(1))
                .filter(cell -> !Set.of("panel", "alert", "---").contains(cell))
                .toList();
    }

    record AllMeters(ObjectProvider<MeterBinder> binders) {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WithRedis.class)
    static class Service {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/prometheus")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .with(latchkey(), latchkey -> {})
                    .build();
        }

        @Bean
        AllMeters all(ObjectProvider<MeterBinder> binders) {
            return new AllMeters(binders);
        }

        /** Like a plugin with a remote system, so its calls have a bound. */
        @Bean
        LoginSource<PasswordCredentials> directory() {
            return new LoginSource<>() {
                @Override
                public String name() {
                    return "directory";
                }

                @Override
                public Class<PasswordCredentials> kind() {
                    return PasswordCredentials.class;
                }

                @Override
                public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
                    return Decision.abstained();
                }
            };
        }
    }
}
