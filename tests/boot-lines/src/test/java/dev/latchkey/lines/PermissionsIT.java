package dev.latchkey.lines;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.access.LatchkeyPermissions;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.parameters.P;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Permissions by plugins on every line of Spring Security, with different types for rules and annotations. */
class PermissionsIT {

    /** Since Spring Security 7: what every rule of a role asks on top. */
    private static final String FACTORY =
            "org.springframework.security.authorization.DefaultAuthorizationManagerFactory";

    private static final Map<String, Object> SERVICE = Map.of("server.port", "0", "spring.main.banner-mode", "off");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void servletService_asksThePlugins() throws Exception {
        try (ConfigurableApplicationContext service = start(OnServlets.class, WebApplicationType.SERVLET)) {
            assertPermissions(service);
            assertThat(get(service, "/roles/client")).isEqualTo("200 client");
        }
    }

    @Test
    void webFluxService_asksThePlugins() throws Exception {
        try (ConfigurableApplicationContext service = start(OnWebFlux.class, WebApplicationType.REACTIVE)) {
            assertPermissions(service);
        }
    }

    @Test
    void rulesOfTheServiceForEveryRole_stillHold() throws Exception {
        boolean isThere = ClassUtils.isPresent(FACTORY, null);
        try (ConfigurableApplicationContext service = start(OnServlets.class, WebApplicationType.SERVLET, context -> {
            if (isThere) {
                RootBeanDefinition factory = new RootBeanDefinition(ClassUtils.resolveClassName(FACTORY, null));
                factory.getPropertyValues()
                        .add("additionalAuthorization", AuthorityAuthorizationManager.hasAuthority("FACTOR_OTT"));
                ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("factory", factory);
            }
        })) {
            assertThat(get(service, "/roles/client")).startsWith(isThere ? "403" : "200");
        }
    }

    private void assertPermissions(ConfigurableApplicationContext service) throws Exception {
        assertThat(get(service, "/rules/public/config")).isEqualTo("200 public");
        assertThat(get(service, "/rules/secret/config")).startsWith("403");
        assertThat(get(service, "/rules/public:x/config")).startsWith("403");
        assertThat(get(service, "/rules/down/config")).startsWith("503").contains("\"status\":503");
        assertThat(get(service, "/rules/broken/config")).startsWith("500").contains("\"status\":500");
        assertThat(get(service, "/methods/public")).isEqualTo("200 public");
        assertThat(get(service, "/methods/secret")).startsWith("403");
        assertThat(get(service, "/methods/down")).startsWith("503").contains("\"status\":503");
    }

    private String get(ConfigurableApplicationContext service, String path) throws Exception {
        URI uri = URI.create("http://localhost:" + service.getEnvironment().getProperty("local.server.port") + path);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri)
                        .header("Authorization", "Bearer alice")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private static ConfigurableApplicationContext start(Class<?> service, WebApplicationType type) {
        return start(service, type, context -> {});
    }

    private static ConfigurableApplicationContext start(
            Class<?> service,
            WebApplicationType type,
            ApplicationContextInitializer<ConfigurableApplicationContext> initializer) {
        SpringApplication application = new SpringApplication(service);
        application.setDefaultProperties(SERVICE);
        application.setWebApplicationType(type);
        application.addInitializers(initializer);
        return application.run();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableMethodSecurity
    @Import({Clerk.class, Servlets.class})
    static class OnServlets {

        @Bean
        SecurityFilterChain api(HttpSecurity http, LatchkeyPermissions latchkey) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/rules/{ns}/config")
                            .access(latchkey.permission("ns:{ns}:config", "r"))
                            .anyRequest()
                            .authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableReactiveMethodSecurity
    @Import({Clerk.class, WebFlux.class})
    static class OnWebFlux {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/rules/{ns}/config")
                            .access(latchkey.permission("ns:{ns}:config", "r"))
                            .anyExchange()
                            .authenticated())
                    .build();
        }
    }

    @RestController
    public static class Servlets {

        @GetMapping("/rules/{ns}/config")
        String config(@PathVariable("ns") String namespace) {
            return namespace;
        }

        @GetMapping("/methods/{ns}")
        @PreAuthorize("hasPermission(#ns, 'ns', 'r')")
        public String namespace(@P("ns") @PathVariable("ns") String namespace) {
            return namespace;
        }

        @GetMapping("/roles/client")
        @PreAuthorize("hasRole('CLIENT')")
        public String client() {
            return "client";
        }
    }

    @RestController
    public static class WebFlux {

        @GetMapping("/rules/{ns}/config")
        Mono<String> config(@PathVariable("ns") String namespace) {
            return Mono.just(namespace);
        }

        @GetMapping("/methods/{ns}")
        @PreAuthorize("hasPermission(#ns, 'ns', 'r')")
        public Mono<String> namespace(@P("ns") @PathVariable("ns") String namespace) {
            return Mono.just(namespace);
        }
    }

    /** Takes any bearer token for a name, and knows one public namespace. */
    static final class Clerk implements LoginSource<BearerToken>, PermissionSource {

        @Override
        public String name() {
            return "clerk";
        }

        @Override
        public Class<BearerToken> kind() {
            return BearerToken.class;
        }

        @Override
        public Decision authenticate(BearerToken bearer, RequestContext context) {
            return Authenticated.as(
                    Subject.of(bearer.token().withText(CharSequence::toString)).withAuthorities("ROLE_CLIENT"));
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            return switch (permission.resource().split(":", -1)[1]) {
                case "public" -> Access.GRANTED;
                case "down" -> throw AuthUnavailableException.outage("the policy store is down");
                case "broken" -> throw new IllegalStateException("s3cret");
                default -> Access.DENIED;
            };
        }
    }
}
