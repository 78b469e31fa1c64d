package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.access.FeatureBans;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.parameters.P;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import reactor.core.publisher.Mono;

/** Services with the plugin, as in the README. */
@Tag("long")
class PermissionsServiceTest {

    private static final String PREFIX = "latchkey.permissions.policy.";
    /** With time for slow machines. */
    private static final String[] LOGIN = {"spring.security.user.password={noop}secret", "latchkey.guard.max-wait=60s"};

    private static final String[] CONFIGURED = {
        PREFIX + "store=properties",
        PREFIX + "roles.reader.permissions[0]=r ns:public:*",
        PREFIX + "roles.editor.includes[0]=reader",
        PREFIX + "roles.editor.permissions[0]=rw ns:mine:*",
        PREFIX + "subjects.user=editor"
    };

    @Test
    void rolesOfTheProperties_decideHasPermission_onServlets() {
        onServlets(CONFIGURED).run(service -> assertRolesDecide(ofServlets(service)));
    }

    @Test
    void rolesOfTheProperties_decideHasPermission_onWebFlux() {
        onWebFlux(CONFIGURED).run(service -> assertRolesDecide(ofWebFlux(service)));
    }

    private static void assertRolesDecide(WebTestClient user) {
        assertThat(get(user, "/config/public")).isEqualTo(200);
        assertThat(get(user, "/config/mine")).isEqualTo(200);
        assertThat(get(user, "/config/other")).isEqualTo(403);
    }

    @Test
    void rolesOfTheTables_decide_andChangesOfThisNodeAreSeenAtOnce_onServlets() {
        onServlets(PREFIX + "store=jdbc").run(service -> assertChangesAreSeen(service, ofServlets(service)));
    }

    @Test
    void rolesOfTheTables_decide_andChangesOfThisNodeAreSeenAtOnce_onWebFlux() {
        onWebFlux(PREFIX + "store=jdbc").run(service -> assertChangesAreSeen(service, ofWebFlux(service)));
    }

    private static void assertChangesAreSeen(ApplicationContext service, WebTestClient user) {
        assertThat(get(user, "/config/public")).isEqualTo(403);
        JdbcPolicyStore store = service.getBean(JdbcPolicyStore.class);
        store.grant("reader", "ns:public:config", "r");
        store.assign("user", "reader");
        service.getBean(PermissionsPlugin.class).refresh();
        assertThat(get(user, "/config/public")).isEqualTo(200);
    }

    @Test
    void withoutTheProperty_thePluginTakesNoPart() {
        onServlets().run(service -> {
            assertThat(service).doesNotHaveBean(PermissionsPlugin.class);
            assertThat(service.getBean(AuthChain.class).pluginNames()).doesNotContain("permissions");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "roles.reader.permissions[0], ns:public:*, roles[reader].permissions[0]: a permission is written as",
        "roles.reader.permissions[0], r a**b, roles[reader].permissions[0]: The resource 'a**b' has a segment",
        "roles.reader.includes[0], writer, roles[reader].includes: the role 'writer' is none of",
        "roles.reader.includes[0], reader, roles[reader].includes: the role includes itself",
        "subjects.user, writer, subjects[user]: the role 'writer' is none of"
    })
    void mistakeInTheProperties_stopsTheStart_andIsNamed(String property, String value, String message) {
        alone().withPropertyValues(PREFIX + "store=properties", PREFIX + property + "=" + value)
                .run(service -> assertThat(causeOf(service)).hasMessageStartingWith(PREFIX + message));
    }

    @Test
    void tables_needOneDatabase() {
        alone().withPropertyValues(PREFIX + "store=jdbc")
                .run(service -> assertThat(causeOf(service)).hasMessageContaining("there is not one DataSource"));
    }

    /** The exception that the starter's failure analyser prints. */
    private static Throwable causeOf(AssertableApplicationContext service) {
        return Stream.iterate(service.getStartupFailure(), Throwable::getCause)
                .takeWhile(Objects::nonNull)
                .filter(PluginConfigException.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Not for the analyser", service.getStartupFailure()));
    }

    @Test
    void missingTables_stopTheStart_andTheirScriptIsNamed() {
        onTables("")
                .run(service -> assertThat(service.getStartupFailure())
                        .isInstanceOf(PluginConfigException.class)
                        .hasMessageContainingAll(
                                "tables of permissions",
                                "dev/latchkey/plugins/permissions/schema-",
                                "spring.sql.init.schema-locations"));
    }

    @Test
    void databaseThatDoesNotAnswer_doesNotStopTheStart() {
        onTables(";IFEXISTS=TRUE").run(service -> assertThat(service).hasNotFailed());
    }

    @Test
    void tablesOfAStoreOfTheService_areNotChecked() {
        onTables("")
                .withBean("own", PolicyStore.class, () -> JdbcPolicyStore.in(new JdbcDataSource()))
                .run(service -> assertThat(service).hasNotFailed());
    }

    private static ApplicationContextRunner onTables(String options) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + options);
        return alone().withBean(DataSource.class, () -> database).withPropertyValues(PREFIX + "store=jdbc");
    }

    @Test
    void sourcesOfTheStarter_areAskedBeforeThePlugin() {
        onServlets(CONFIGURED)
                .withPropertyValues("latchkey.permissions.features=true", "latchkey.permissions.by-authorities=true")
                .run(service -> {
                    AuthChain chain = service.getBean(AuthChain.class);
                    Permission comment = new Permission("feature:comment", "use");
                    Permission report = new Permission("report", "read");
                    assertThat(chain.pluginNames()).containsSubsequence("features", "authorities", "permissions");
                    assertThat(chain.authorize(Subject.of("user"), comment)).isTrue();
                    service.getBean(FeatureBans.class).ban("user", "comment", Instant.MAX);
                    assertThat(chain.authorize(Subject.of("user"), comment)).isFalse();
                    assertThat(chain.authorize(Subject.of("user"), report)).isFalse();
                    assertThat(chain.authorize(Subject.of("user").withAuthorities("report.read"), report))
                            .isTrue();
                });
    }

    @Test
    void storeOfTheService_isAsked() {
        Policy policy = Policy.builder().grant("reader", "a", "r").build();
        PolicyStore own = new ConfiguredPolicyStore(policy, Map.of("ada", Set.of("reader")));
        alone().withBean(PolicyStore.class, () -> own)
                .withPropertyValues(PREFIX + "store=properties")
                .run(service -> assertThat(service.getBean(PermissionsPlugin.class)
                                .authorize(Subject.of("ada"), new Permission("a", "r")))
                        .isEqualTo(Access.GRANTED));
    }

    private static ApplicationContextRunner alone() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyPermissionsAutoConfiguration.class));
    }

    private static WebApplicationContextRunner onServlets(String... properties) {
        return new WebApplicationContextRunner()
                .withUserConfiguration(OnServlets.class)
                .withPropertyValues(properties)
                .withPropertyValues(LOGIN);
    }

    private static ReactiveWebApplicationContextRunner onWebFlux(String... properties) {
        return new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(OnWebFlux.class)
                .withPropertyValues(properties)
                .withPropertyValues(LOGIN);
    }

    private static WebTestClient ofServlets(WebApplicationContext service) {
        return MockMvcWebTestClient.bindToApplicationContext(service)
                .apply(SecurityMockMvcConfigurers.springSecurity())
                .build();
    }

    private static WebTestClient ofWebFlux(ApplicationContext service) {
        return WebTestClient.bindToApplicationContext(service).build();
    }

    private static int get(WebTestClient user, String path) {
        return user.get()
                .uri(path)
                .headers(fields -> fields.setBasicAuth("user", "secret"))
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
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
