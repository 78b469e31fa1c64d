package dev.latchkey.auth.spring.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.access.hierarchicalroles.RoleHierarchyImpl;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.core.GrantedAuthorityDefaults;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.parameters.P;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** {@code hasPermission} in a servlet service. */
@Tag("long")
class MethodPermissionsTest {

    private static final Authentication BOB = new TestingAuthenticationToken("bob", "x", "ROLE_USER");

    private final Clerk clerk = new Clerk();
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Methods.class)
            .withBean("clerk", AuthPlugin.class, () -> clerk);

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void namesAreThePermission_andAreGrantedByAPlugin() {
        clerk.granting("ns:public");
        service.run(context -> {
            ask(context, "/config").andExpect(status().isOk());
            assertThat(clerk.asked).containsExactly("alice r ns:public:config");
        });
    }

    @Test
    void undecidedPermission_isDenied() {
        service.run(context -> ask(context, "/config").andExpect(status().isForbidden()));
    }

    @Test
    void typeAndId_areTheResource() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        loggedIn(BOB).run(context -> {
            Orders orders = context.getBean(Orders.class);
            UUID id = UUID.fromString("00000000-0000-0001-0000-000000000002");
            assertThat(orders.order(17L)).isEqualTo("order 17");
            assertThat(orders.order(id)).isEqualTo("order " + id);
            assertThat(orders.order(TimeUnit.DAYS)).isEqualTo("order DAYS");
            assertThat(clerk.asked).containsExactly("bob read order:17", "bob read order:" + id, "bob read order:DAYS");
        });
    }

    @Test
    void idWithASeparator_orNone_isDeniedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        loggedIn(BOB).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.order("17:invoice")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> orders.order("17/invoice")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> orders.order("")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> orders.order(null)).isInstanceOf(AccessDeniedException.class);
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void objectOfTheService_isAMistakeAndNotItsText() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        loggedIn(BOB).run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).change(List.of("ns:public")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.util");
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void blankOrMissingName_isDenied() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        loggedIn(BOB).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.change(" ")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> orders.change(null)).isInstanceOf(AccessDeniedException.class);
        });
    }

    @Test
    void callerThatHasNotLoggedIn_isDeniedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        loggedIn(new AnonymousAuthenticationToken(
                        "key", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")))
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Orders.class).order(17L))
                            .isInstanceOf(AccessDeniedException.class);
                    assertThat(clerk.asked).isEmpty();
                });
    }

    @Test
    void permissionOfWhatIsReturned_isAskedAfterwards() {
        clerk.granting("ns:public");
        loggedIn(BOB).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.found("ns:public")).isEqualTo("ns:public");
            assertThatThrownBy(() -> orders.found("ns:secret")).isInstanceOf(AccessDeniedException.class);
        });
    }

    @Test
    void outage_is503PastTheServicesHandlers_withAndWithoutTheGuard() {
        clerk.failing(AuthUnavailableException.outage("the policy store is down"));
        WebApplicationContextRunner handling = service.withBean(EveryFailureIs418.class);
        assertUnavailable(handling);
        assertUnavailable(handling.withPropertyValues("latchkey.guard.enabled=false"));
    }

    @Test
    void brokenPlugin_is500_andPassesNothing() {
        clerk.failing(new IllegalStateException("s3cret"));
        service.run(context -> ask(context, "/config")
                .andExpect(status().isInternalServerError())
                .andExpect(result ->
                        assertThat(result.getResponse().getContentAsString()).doesNotContain("s3cret", "config")));
    }

    @Test
    void rolesAreAsTheServiceHasThem() {
        loggedIn(new TestingAuthenticationToken("bob", "x", "MY_BOSS"))
                .withUserConfiguration(OwnRoles.class)
                .run(context ->
                        assertThat(context.getBean(Orders.class).forUsers()).isEqualTo("for users"));
    }

    @Test
    void evaluatorOfTheService_isTheOneThatIsThere() {
        service.withBean("own", PermissionEvaluator.class, AllowAll::new)
                .run(context -> assertThat(context)
                        .hasSingleBean(PermissionEvaluator.class)
                        .doesNotHaveBean(MethodSecurityExpressionHandler.class));
    }

    @Test
    void expressionHandlerOfTheService_decidesAsItDid() {
        loggedIn(BOB)
                .withBean("own", MethodSecurityExpressionHandler.class, MethodPermissionsTest::allowingAll)
                .run(context -> {
                    assertThat(context.getBean(Orders.class).order(17L)).isEqualTo("order 17");
                    assertThat(clerk.asked).isEmpty();
                });
    }

    private WebApplicationContextRunner loggedIn(Authentication login) {
        return service.withInitializer(
                context -> SecurityContextHolder.getContext().setAuthentication(login));
    }

    private void assertUnavailable(WebApplicationContextRunner service) {
        service.run(context -> ask(context, "/config")
                .andExpect(status().isServiceUnavailable())
                .andExpect(header().string("Retry-After", "5")));
    }

    private static ResultActions ask(ApplicationContext context, String path) throws Exception {
        return Services.mvc(context)
                .perform(get(path).header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD)));
    }

    private static MethodSecurityExpressionHandler allowingAll() {
        DefaultMethodSecurityExpressionHandler own = new DefaultMethodSecurityExpressionHandler();
        own.setPermissionEvaluator(new AllowAll());
        return own;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Methods {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        Config config() {
            return new Config();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRoles {

        @Bean
        static GrantedAuthorityDefaults prefix() {
            return new GrantedAuthorityDefaults("MY_");
        }

        @Bean
        static RoleHierarchy hierarchy() {
            return RoleHierarchyImpl.fromHierarchy("MY_BOSS > MY_USER");
        }
    }

    static class Orders {

        @PreAuthorize("hasPermission(#id, 'order', 'read')")
        String order(@P("id") Serializable id) {
            return "order " + id;
        }

        @PreAuthorize("hasPermission(#it, 'write')")
        String change(@P("it") Object it) {
            return "changed " + it;
        }

        @PostAuthorize("hasPermission(returnObject, 'r')")
        String found(String name) {
            return name;
        }

        @PreAuthorize("hasRole('USER')")
        String forUsers() {
            return "for users";
        }
    }

    @RestController
    static class Config {

        @GetMapping("/config")
        @PreAuthorize("hasPermission('ns:public:config', 'r')")
        String config() {
            return "config";
        }
    }

    @RestControllerAdvice
    static class EveryFailureIs418 {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> failed() {
            return ResponseEntity.status(418).build();
        }
    }

    private static final class AllowAll implements PermissionEvaluator {

        @Override
        public boolean hasPermission(Authentication login, Object target, Object permission) {
            return true;
        }

        @Override
        public boolean hasPermission(Authentication login, Serializable id, String type, Object permission) {
            return true;
        }
    }
}
