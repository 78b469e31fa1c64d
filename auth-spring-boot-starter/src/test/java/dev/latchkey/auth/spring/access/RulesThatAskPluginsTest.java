package dev.latchkey.auth.spring.access;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Rules of a servlet service's filter chain that ask the plugins. */
class RulesThatAskPluginsTest {

    private final Clerk clerk = new Clerk();
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Rules.class)
            .withBean("clerk", AuthPlugin.class, () -> clerk);

    @Test
    void grantedPermission_letsTheRequestPass() {
        clerk.granting("ns:public:");
        service.run(context -> {
            ask(context, "/namespaces/public/config", "Bearer alice")
                    .andExpect(content().string("config of public"));
            assertThat(clerk.asked).containsExactly("alice r ns:public:config");
        });
    }

    @Test
    void permissionThatNoPluginDecides_isDenied() {
        service.run(context ->
                ask(context, "/namespaces/public/config", "Bearer alice").andExpect(status().isForbidden()));
    }

    @Test
    void deniedPermission_isDenied() {
        clerk.answer = (subject, permission) -> Access.DENIED;
        service.run(context ->
                ask(context, "/namespaces/public/config", "Bearer alice").andExpect(status().isForbidden()));
    }

    @Test
    void callerThatHasNotLoggedIn_isChallengedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        service.run(context -> {
            ask(context, "/namespaces/public/config", "").andExpect(status().isUnauthorized());
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void loginThatIsNotLatchkeys_isTheSubjectOfItsName() {
        clerk.granting("ns:public:");
        service.run(context -> {
            ask(context, "/namespaces/public/config", ReactiveServices.basic("alice", Services.PASSWORD))
                    .andExpect(status().isOk());
            assertThat(clerk.asked).containsExactly("alice r ns:public:config");
        });
    }

    @Test
    void valueThatHasASeparator_isDeniedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        service.run(context -> {
            ask(context, "/namespaces/public:config/config", "Bearer alice").andExpect(status().isForbidden());
            ask(context, "/namespaces/public%3Aconfig/config", "Bearer alice").andExpect(status().isForbidden());
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void outage_is503AsForLogins_withAndWithoutTheGuard() {
        clerk.failing(AuthUnavailableException.outage("the policy store is down"));
        assertUnavailable(service, 503, "5");
        assertUnavailable(service.withPropertyValues("latchkey.guard.enabled=false"), 503, "5");
    }

    @Test
    void overloadIs503_andThrottlingIs429() {
        clerk.failing(AuthUnavailableException.overload("full", Duration.ofSeconds(2)));
        assertUnavailable(service, 503, "2");
        clerk.failing(AuthUnavailableException.throttled("slow down", Duration.ofSeconds(30)));
        assertUnavailable(service, 429, "30");
    }

    @Test
    void brokenPlugin_is500_andPassesNothing() {
        clerk.failing(new IllegalStateException("select * from grants where token='s3cret'"));
        service.run(context -> ask(context, "/namespaces/public/config", "Bearer alice")
                .andExpect(status().isInternalServerError())
                .andExpect(result -> assertThat(result.getResponse().getContentAsString())
                        .contains("\"status\":500")
                        .doesNotContain("s3cret", "config of")));
        // Spring Security would take such an exception for its own denial.
        for (RuntimeException ofSpring :
                List.of(new BadCredentialsException("s3cret"), new AccessDeniedException("s3cret"))) {
            clerk.failing(ofSpring);
            service.run(context -> ask(context, "/namespaces/public/config", "Bearer alice")
                    .andExpect(status().isInternalServerError()));
        }
        clerk.answer = (subject, permission) -> null;
        service.run(context ->
                ask(context, "/namespaces/public/config", "Bearer alice").andExpect(status().isInternalServerError()));
    }

    private void assertUnavailable(WebApplicationContextRunner service, int status, String retryAfter) {
        service.run(context -> ask(context, "/namespaces/public/config", "Bearer alice")
                .andExpect(status().is(status))
                .andExpect(header().string("Retry-After", retryAfter))
                .andExpect(content().contentType(APPLICATION_PROBLEM_JSON)));
    }

    private static ResultActions ask(ApplicationContext context, String path, String authorization) throws Exception {
        // As a URI: a template would encode the percent sign once more.
        var request = get(URI.create(path));
        return Services.mvc(context)
                .perform(authorization.isEmpty() ? request : request.header("Authorization", authorization));
    }

    @Configuration(proxyBeanMethods = false)
    static class Rules {

        @Bean
        SecurityFilterChain api(HttpSecurity http, LatchkeyPermissions latchkey) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/namespaces/{ns}/config")
                            .access(latchkey.permission("ns:{ns}:config", "r"))
                            .anyRequest()
                            .denyAll())
                    .httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        Namespaces namespaces() {
            return new Namespaces();
        }
    }

    @RestController
    static class Namespaces {

        @GetMapping("/namespaces/{ns}/config")
        String config(@PathVariable("ns") String namespace) {
            return "config of " + namespace;
        }
    }
}
