package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/**
 * A chain's own provider compares passwords unseen, as Spring's LDAP provider does. Then the manager of the service's accounts is
 * asked, and their store is down. The outage must not make the guesses at the provider's accounts free.
 */
class UnseenProviderTest {

    private static final String RIGHT = "right-at-the-directory";

    @Test
    void wrongPasswordsOfTheProvider_count_whileTheAccountsAreDown() {
        Services.web().withUserConfiguration(Directory.class, Down.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 5; i++) {
                assertThat(status(mvc, "wrong" + i)).isEqualTo(401);
            }
            assertThat(status(mvc, "wrong")).isEqualTo(429);
            assertThat(status(mvc, RIGHT)).isEqualTo(429);
        });
    }

    /** An owner of one of the accounts repeats the right password until the store is back. */
    @Test
    void repeatedPassword_isOneGuess() {
        Services.web().withUserConfiguration(Directory.class, Down.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 10; i++) {
                assertThat(status(mvc, "the same")).isEqualTo(401);
            }
            assertThat(status(mvc, RIGHT)).as("let in, and there is no page").isEqualTo(404);
        });
    }

    @Test
    void accountsAlone_costNothingWhileTheyAreDown() {
        Services.web().withUserConfiguration(Down.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 10; i++) {
                assertThat(status(mvc, "password" + i)).isEqualTo(401);
            }
        });
    }

    private static int status(MockMvc mvc, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic("ann", password)))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @Configuration(proxyBeanMethods = false)
    static class Down {
        @Bean
        UserDetailsService accounts() {
            return name -> {
                throw new IllegalStateException("Simulated: the database is down");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Directory {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authenticationProvider(new Bind())
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    private static final class Bind implements AuthenticationProvider {
        @Override
        public Authentication authenticate(Authentication given) {
            if (!RIGHT.equals(given.getCredentials())) {
                throw new BadCredentialsException("No bind with this password");
            }
            return UsernamePasswordAuthenticationToken.authenticated(
                    given.getName(), null, AuthorityUtils.createAuthorityList("ROLE_USER"));
        }

        @Override
        public boolean supports(Class<?> type) {
            return UsernamePasswordAuthenticationToken.class.isAssignableFrom(type);
        }
    }
}
