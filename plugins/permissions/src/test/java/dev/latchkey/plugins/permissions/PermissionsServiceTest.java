package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.latchkey.auth.AuthChain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.parameters.P;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Services that have the plugin, as its README says. */
class PermissionsServiceTest {

    private static final String PREFIX = "latchkey.permissions.policy.";
    private static final Map<String, String> CONFIGURED = Map.of(
            PREFIX + "store", "properties",
            PREFIX + "roles.reader.permissions[0]", "r ns:public:*",
            PREFIX + "roles.editor.includes[0]", "reader",
            PREFIX + "roles.editor.permissions[0]", "rw ns:mine:*",
            PREFIX + "subjects.user", "editor");

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void rolesOfTheProperties_decideHasPermission(WebApplicationType stack) throws Exception {
        try (ConfigurableApplicationContext service = start(stack, CONFIGURED)) {
            assertThat(get(service, "/config/public")).isEqualTo(200);
            assertThat(get(service, "/config/mine")).isEqualTo(200);
            assertThat(get(service, "/config/other")).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void rolesOfTheTables_decide_andChangesOfThisNodeAreSeenAtOnce(WebApplicationType stack) throws Exception {
        try (ConfigurableApplicationContext service = start(stack, Map.of(PREFIX + "store", "jdbc"))) {
            assertThat(get(service, "/config/public")).isEqualTo(403);
            JdbcPolicyStore store = service.getBean(JdbcPolicyStore.class);
            store.grant("reader", "ns:public:config", "r");
            store.assign("user", "reader");
            service.getBean(PermissionsPlugin.class).refresh();
            assertThat(get(service, "/config/public")).isEqualTo(200);
        }
    }

    @Test
    void withoutTheProperty_thePluginTakesNoPart() {
        try (ConfigurableApplicationContext service = start(WebApplicationType.SERVLET, Map.of())) {
            assertThat(service.getBeansOfType(PermissionsPlugin.class)).isEmpty();
            assertThat(service.getBean(AuthChain.class).pluginNames()).doesNotContain("permissions");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "roles.reader.permissions[0], ns:public:*, Role 'reader': a permission is written as",
        "roles.reader.permissions[0], r a**b, Role 'reader': The resource 'a**b' has a segment with two stars",
        "roles.reader.includes[0], writer, 'reader' has the role 'writer'",
        "roles.reader.includes[0], reader, Role 'reader' includes itself",
        "subjects.user, writer, 'subject user' has the role 'writer'"
    })
    void mistakeInTheProperties_stopsTheStart_andIsNamed(String property, String value, String message) {
        assertThatThrownBy(() -> start(
                                WebApplicationType.SERVLET,
                                Map.of(PREFIX + "store", "properties", PREFIX + property, value))
                        .close())
                .extracting(failure -> NestedExceptionUtils.getMostSpecificCause(failure))
                .asInstanceOf(type(Throwable.class))
                .satisfies(cause -> assertThat(cause)
                        .hasMessageContaining(
                                message.substring(message.indexOf(':') + 1).trim()));
    }

    private static ConfigurableApplicationContext start(WebApplicationType stack, Map<String, String> properties) {
        SpringApplication service =
                new SpringApplication(stack == WebApplicationType.SERVLET ? OnServlets.class : OnWebFlux.class);
        service.setWebApplicationType(stack);
        service.setLogStartupInfo(false);
        Map<String, Object> all = new HashMap<>(properties);
        all.put("server.port", "0");
        all.put("spring.main.banner-mode", "off");
        all.put("spring.security.user.password", "{noop}secret");
        service.setDefaultProperties(all);
        return service.run();
    }

    private int get(ConfigurableApplicationContext service, String path) throws IOException, InterruptedException {
        String port = service.getEnvironment().getProperty("local.server.port");
        String login = Base64.getEncoder().encodeToString("user:secret".getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Authorization", "Basic " + login)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @EnableMethodSecurity
    @Import({Database.class, Api.class})
    static class OnServlets {}

    @SpringBootConfiguration
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @EnableReactiveMethodSecurity
    @Import({Database.class, ReactiveApi.class})
    static class OnWebFlux {}

    static class Database {

        @Bean
        DataSource dataSource() {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
            new ResourceDatabasePopulator(new ClassPathResource("schema-h2.sql", JdbcPolicyStore.class)).execute(h2);
            return h2;
        }
    }

    @RestController
    static class Api {

        @GetMapping("/config/{ns}")
        @PreAuthorize("hasPermission('ns:' + #ns + ':config', 'r')")
        public String config(@P("ns") @PathVariable("ns") String ns) {
            return ns;
        }
    }

    @RestController
    static class ReactiveApi {

        @GetMapping("/config/{ns}")
        @PreAuthorize("hasPermission('ns:' + #ns + ':config', 'r')")
        public Mono<String> config(@P("ns") @PathVariable("ns") String ns) {
            return Mono.just(ns);
        }
    }
}
