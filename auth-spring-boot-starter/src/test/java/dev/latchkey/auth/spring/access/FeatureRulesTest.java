package dev.latchkey.auth.spring.access;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Features from which an account is kept for a time, and authorities with a star, by each way in and on both stacks. */
@Tag("long")
class FeatureRulesTest {

    private static final String[] SETTINGS = {
        "latchkey.jwt.secret=" + Services.KEY,
        "latchkey.permissions.features=true",
        "latchkey.permissions.by-authorities=true"
    };

    private final WebApplicationContextRunner servlet = Services.web()
            .withUserConfiguration(Services.Accounts.class, Rules.class)
            .withBean("key", AuthPlugin.class, RevocableKey::new)
            .withPropertyValues(SETTINGS);
    private final ReactiveWebApplicationContextRunner reactive = ReactiveServices.web()
            .withUserConfiguration(ReactiveRules.class)
            .withPropertyValues("spring.security.user.name=alice", "spring.security.user.password={noop}x")
            .withPropertyValues(SETTINGS);

    @Test
    void features_thatLatchkeyPluginsLeavesOut_stopTheStart_becauseABanWouldBanNobody() {
        servlet.withPropertyValues("latchkey.plugins=users,jwt,authorities")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessage(
                                "latchkey.permissions.features is true, and latchkey.plugins does not name features: a ban"
                                        + " would ban nobody"));
    }

    @Test
    void bannedAccount_isDeniedTheFeatureByEachWayIn_andNothingElse() {
        servlet.run(context -> {
            FeatureBans bans = context.getBean(FeatureBans.class);
            MockHttpSession session = (MockHttpSession) Services.mvc(context)
                    .perform(formLogin().user("alice").password(Services.PASSWORD))
                    .andReturn()
                    .getRequest()
                    .getSession();
            String token = "Bearer " + tokenOf(context, "alice");
            String basic = ReactiveServices.basic("alice", Services.PASSWORD);
            for (String path : List.of("/comment", "/comment-method")) {
                List<MockHttpServletRequestBuilder> visits = List.of(
                        get(path).header("Authorization", token),
                        get(path).header("Authorization", basic),
                        get(path).session(session));
                visits.forEach(visit -> assertThat(statusOf(context, visit)).isEqualTo(200));
                bans.ban("alice", "comment", Instant.now().plusSeconds(3600));
                visits.forEach(visit -> assertThat(statusOf(context, visit)).isEqualTo(403));
                assertThat(statusOf(context, get(path).header("X-Key", "good"))).isEqualTo(200);
                assertThat(statusOf(context, get("/hello").header("Authorization", token)))
                        .isEqualTo(200);
                bans.lift("alice", "comment");
                visits.forEach(visit -> assertThat(statusOf(context, visit)).isEqualTo(200));
            }
            bans.ban("robot", "comment", Instant.MAX);
            assertThat(statusOf(context, get("/comment").header("X-Key", "good")))
                    .isEqualTo(403);
            assertThat(statusOf(context, get("/comment"))).isEqualTo(401);
        });
    }

    @Test
    void bannedAccount_isDeniedTheFeatureOnWebFlux() {
        reactive.run(context -> {
            FeatureBans bans = context.getBean(FeatureBans.class);
            String token = "Bearer " + tokenOf(context, "alice");
            for (String path : List.of("/comment", "/comment-method")) {
                for (String way : List.of(token, ReactiveServices.basic("alice", "x"))) {
                    assertThat(reactiveStatus(context, path, way)).isEqualTo(200);
                    bans.ban("alice", "comment", Instant.now().plusSeconds(3600));
                    assertThat(reactiveStatus(context, path, way)).isEqualTo(403);
                    bans.lift("alice", "comment");
                }
                assertThat(reactiveStatus(context, path, token)).isEqualTo(200);
            }
        });
    }

    @Test
    void authorityWithAStar_grantsWhatItCovers() {
        servlet.run(context -> {
            String clerk = "Bearer " + tokenOf(context, "alice", "order.*");
            assertThat(statusOf(context, get("/orders").header("Authorization", clerk)))
                    .isEqualTo(200);
            String other = "Bearer " + tokenOf(context, "alice", "user.*");
            assertThat(statusOf(context, get("/orders").header("Authorization", other)))
                    .isEqualTo(403);
        });
        reactive.run(context -> {
            assertThat(reactiveStatus(context, "/orders", "Bearer " + tokenOf(context, "alice", "order.*")))
                    .isEqualTo(200);
            assertThat(reactiveStatus(context, "/orders", "Bearer " + tokenOf(context, "alice", "user.*")))
                    .isEqualTo(403);
        });
    }

    @Test
    void switchedOff_aStarGrantsNothing_andThereAreNoFeatures() {
        servlet.withPropertyValues("latchkey.permissions.by-authorities=false", "latchkey.permissions.features=false")
                .run(context -> {
                    String clerk = "Bearer " + tokenOf(context, "alice", "order.*", "*");
                    assertThat(statusOf(context, get("/orders").header("Authorization", clerk)))
                            .isEqualTo(403);
                    assertThat(statusOf(context, get("/comment").header("Authorization", clerk)))
                            .isEqualTo(403);
                    assertThat(context).doesNotHaveBean(FeatureBans.class);
                });
    }

    @Test
    void featuresNeedNoKey() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.permissions.features=true")
                .run(context -> {
                    FeatureBans bans = context.getBean(FeatureBans.class);
                    bans.ban("alice", "comment", Instant.MAX);
                    assertThat(bans.bannedUntil("alice", "comment")).isPresent();
                });
    }

    @Test
    void sourceThatDeniesWhatItDoesNotKnow_isAskedAfterBoth_andABanBeforeEachAuthority() {
        servlet.withBean("denying", AuthPlugin.class, Denying::new).run(context -> {
            assertThat(context.getBean(AuthChain.class).pluginNames())
                    .containsSubsequence("users", "features", "authorities", "denying");
            String clerk = "Bearer " + tokenOf(context, "alice", "order.*", "feature:*");
            assertThat(statusOf(context, get("/orders").header("Authorization", clerk)))
                    .isEqualTo(200);
            assertThat(statusOf(context, get("/comment").header("Authorization", clerk)))
                    .isEqualTo(200);
            context.getBean(FeatureBans.class).ban("alice", "comment", Instant.MAX);
            assertThat(statusOf(context, get("/comment").header("Authorization", clerk)))
                    .isEqualTo(403);
            assertThat(statusOf(context, get("/orders").header("Authorization", "Bearer " + tokenOf(context, "alice"))))
                    .isEqualTo(403);
        });
    }

    private static final class Denying implements PermissionSource {

        @Override
        public String name() {
            return "denying";
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            return Access.DENIED;
        }
    }

    private static String tokenOf(ApplicationContext context, String account, String... authorities) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject(account, Duration.ofMinutes(5)).with("authorities", List.of(authorities)));
    }

    private static int statusOf(ApplicationContext context, MockHttpServletRequestBuilder request) {
        try {
            return Services.mvc(context)
                    .perform(request)
                    .andReturn()
                    .getResponse()
                    .getStatus();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static int reactiveStatus(ApplicationContext context, String path, String authorization) {
        return ReactiveServices.client(context)
                .get()
                .uri(path)
                .header("Authorization", authorization)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Rules {

        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPermissions permissions) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/comment")
                            .access(permissions.permission("feature:comment", "use"))
                            .anyRequest()
                            .authenticated())
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        Comments comments() {
            return new Comments();
        }
    }

    @RestController
    static class Comments {

        @GetMapping("/comment")
        String comment() {
            return "said";
        }

        @GetMapping("/comment-method")
        @PreAuthorize("hasPermission('feature:comment', 'use')")
        String commentByMethod() {
            return "said";
        }

        @GetMapping("/orders")
        @PreAuthorize("hasPermission('order', 'read')")
        String orders() {
            return "none";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveMethodSecurity
    static class ReactiveRules {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/comment")
                            .access(latchkey.permission("feature:comment", "use"))
                            .anyExchange()
                            .authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }

        @Bean
        ReactiveComments comments() {
            return new ReactiveComments();
        }
    }

    @RestController
    static class ReactiveComments {

        @GetMapping("/comment")
        Mono<String> comment() {
            return Mono.just("said");
        }

        @GetMapping("/comment-method")
        @PreAuthorize("hasPermission('feature:comment', 'use')")
        public Mono<String> commentByMethod() {
            return Mono.just("said");
        }

        @GetMapping("/orders")
        @PreAuthorize("hasPermission('order', 'read')")
        public Mono<String> orders() {
            return Mono.just("none");
        }
    }
}
