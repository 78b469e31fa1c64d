package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.cookie;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.LatchkeyPermissions;
import dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin;
import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.InMemoryOneTimeTokenService;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.RememberMeServices;
import org.springframework.security.web.authentication.logout.LogoutHandler;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The logins of Spring Security that ask no plugin keep the names of sources. */
class OtherLoginsTest {

    private static final String OF_ANOTHER_SOURCE = "oauth2:hub:bob";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Chain.class, Pages.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    @Test
    void oneTimeTokenOfALocalAccount_namedLikeAnAccountOfAnotherSource_logsNobodyIn() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            OneTimeTokenService tokens = context.getBean(OneTimeTokenService.class);
            MvcResult alice = login(mvc, tokens, "alice");
            assertThat(alice.getResponse().getCookie("remember-me")).isNotNull();
            mvc.perform(get("/hello").session(session(alice))).andExpect(status().isOk());

            MvcResult other = login(mvc, tokens, OF_ANOTHER_SOURCE);
            assertThat(other.getResponse().getCookie("remember-me")).isNull();
            mvc.perform(get("/hello").session(session(other))).andExpect(status().isUnauthorized());
        });
    }

    @Test
    void rememberMeCookieOfSuchAnAccount_logsNobodyIn() {
        Authentication remembered = new RememberMeAuthenticationToken(
                "key", account(OF_ANOTHER_SOURCE), AuthorityUtils.createAuthorityList("ROLE_USER"));
        service.run(context -> Services.mvc(context)
                .perform(get("/hello").with(authentication(remembered)))
                .andExpect(status().isUnauthorized()));
    }

    @Test
    void accountOfAProvider_hasNotThePermissionsOfTheLocalAccountOfItsName() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            MvcResult alice = login(mvc, context.getBean(OneTimeTokenService.class), "alice");
            mvc.perform(get("/whoami").session(session(alice))).andExpect(status().isOk());
            mvc.perform(get("/hello").with(authentication(ofTheHub("alice")))).andExpect(status().isOk());
            mvc.perform(get("/whoami").with(authentication(ofTheHub("alice")))).andExpect(status().isForbidden());
        });
    }

    /** A cookie keeps the name alone: the local account of this name would be logged in. */
    @Test
    void loginAtAProvider_isNotRemembered_unlessItsNamesAreShared() {
        assertThat(isRemembered(service)).isFalse();
        assertThat(isRemembered(service.withPropertyValues("latchkey.shared-subjects=users,oauth2:hub")))
                .isTrue();
    }

    /** Spring Security's remember-me would look the name up in the local accounts. */
    @Test
    void httpBasicOfAPlugin_isNotRemembered_andOneOfALocalAccountIs() {
        AuthenticationManager dora = login -> {
            if (!login.getName().equals("dora")) {
                throw new BadCredentialsException("wrong");
            }
            return UsernamePasswordAuthenticationToken.authenticated("dora", null, List.of());
        };
        service.withBean(AuthPlugin.class, () -> SpringAuthenticationPlugin.of("ldap", dora))
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    mvc.perform(get("/hello").param("remember-me", "on").with(httpBasic("dora", "secret")))
                            .andExpect(status().isOk())
                            .andExpect(cookie().doesNotExist("remember-me"));
                    mvc.perform(get("/hello").param("remember-me", "on").with(httpBasic("alice", "secret")))
                            .andExpect(status().isOk())
                            .andExpect(cookie().exists("remember-me"));
                });
    }

    /** A row that the revocation did not find yet is deleted by the login itself. */
    @Test
    void loginDuringARevocation_leavesNoCookieAndNoRow() {
        service.run(context -> {
            Set<String> rows = new HashSet<>();
            Subjects subjects = new Subjects(context.getBean(AuthChain.class));
            Authentication alice = UsernamePasswordAuthenticationToken.authenticated(
                    account("alice"), null, AuthorityUtils.createAuthorityList("ROLE_USER"));
            new NamesForCookies(new Rows(rows), subjects, subject -> true).loginSuccess(null, null, alice);
            assertThat(rows).isEmpty();
            new NamesForCookies(new Rows(rows), subjects, rows::contains).loginSuccess(null, null, alice);
            assertThat(rows).isEmpty();
            new NamesForCookies(new Rows(rows), subjects, subject -> false).loginSuccess(null, null, alice);
            assertThat(rows).containsExactly("alice");
        });
    }

    /** As Spring Security's services with rows of cookies. */
    private record Rows(Set<String> names) implements RememberMeServices, LogoutHandler {

        @Override
        public Authentication autoLogin(HttpServletRequest request, HttpServletResponse response) {
            throw new AssertionError();
        }

        @Override
        public void loginFail(HttpServletRequest request, HttpServletResponse response) {
            throw new AssertionError();
        }

        @Override
        public void loginSuccess(HttpServletRequest request, HttpServletResponse response, Authentication login) {
            names.add(login.getName());
        }

        @Override
        public void logout(HttpServletRequest request, HttpServletResponse response, Authentication login) {
            names.remove(login.getName());
        }
    }

    private static boolean isRemembered(WebApplicationContextRunner service) {
        boolean[] remembered = new boolean[1];
        service.run(context -> {
            RememberMeServices cookies = new RememberMeServices() {
                @Override
                public Authentication autoLogin(HttpServletRequest request, HttpServletResponse response) {
                    throw new AssertionError();
                }

                @Override
                public void loginFail(HttpServletRequest request, HttpServletResponse response) {
                    throw new AssertionError();
                }

                @Override
                public void loginSuccess(
                        HttpServletRequest request, HttpServletResponse response, Authentication login) {
                    remembered[0] = true;
                }
            };
            new NamesForCookies(cookies, new Subjects(context.getBean(AuthChain.class)), subject -> false)
                    .loginSuccess(null, null, ofTheHub("alice"));
        });
        return remembered[0];
    }

    private static MvcResult login(MockMvc mvc, OneTimeTokenService tokens, String name) throws Exception {
        String token = tokens.generate(new GenerateOneTimeTokenRequest(name)).getTokenValue();
        return mvc.perform(post("/login/ott")
                        .param("token", token)
                        .param("remember-me", "on")
                        .with(csrf()))
                .andReturn();
    }

    private static MockHttpSession session(MvcResult login) {
        return (MockHttpSession) login.getRequest().getSession(false);
    }

    private static Authentication ofTheHub(String name) {
        return new OAuth2AuthenticationToken(
                new DefaultOAuth2User(AuthorityUtils.createAuthorityList("ROLE_USER"), Map.of("login", name), "login"),
                AuthorityUtils.createAuthorityList("ROLE_USER"),
                "hub");
    }

    private static UserDetails account(String name) {
        return User.withUsername(name)
                .password("{noop}secret")
                .authorities("ROLE_USER")
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        UserDetailsService accounts() {
            return new InMemoryUserDetailsManager(account("alice"), account(OF_ANOTHER_SOURCE));
        }

        @Bean
        OneTimeTokenService oneTimeTokens() {
            return new InMemoryOneTimeTokenService();
        }

        @Bean
        PermissionSource alicesSecret() {
            return new PermissionSource() {
                @Override
                public String name() {
                    return "secrets";
                }

                @Override
                public Access authorize(Subject subject, Permission permission) {
                    return subject.id().equals("alice") ? Access.GRANTED : Access.DENIED;
                }
            };
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPermissions permissions) throws Exception {
            return http.httpBasic(withDefaults())
                    .oneTimeTokenLogin(login -> login.tokenGenerationSuccessHandler((request, response, token) -> {}))
                    .rememberMe(withDefaults())
                    .with(latchkey(), withDefaults())
                    .authorizeHttpRequests(rules -> rules.requestMatchers("/whoami")
                            .access(permissions.permission("secret", "r"))
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }

    @RestController
    static class Pages {

        @GetMapping({"/hello", "/whoami"})
        String page() {
            return "page";
        }
    }
}
