package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;

/** The work for an unknown name compares with the hash of an account. No such comparison counts for the account. */
class UnknownNamesTest {

    /** The ways of a service to give the accounts and the encoder to Spring Security. */
    enum Wiring {
        BEANS {
            @Override
            void configure(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder) {}
        },
        USERS_OF_THE_CHAIN {
            @Override
            void configure(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder) throws Exception {
                http.userDetailsService(users);
            }
        },
        BUILDER_OF_THE_CHAIN {
            @Override
            void configure(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder) throws Exception {
                http.getSharedObject(AuthenticationManagerBuilder.class)
                        .userDetailsService(users)
                        .passwordEncoder(encoder);
            }
        },
        ENCODER_AROUND_THE_BEAN {
            @Override
            void configure(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder) {
                DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
                provider.setPasswordEncoder(new PasswordEncoder() {
                    @Override
                    public String encode(CharSequence password) {
                        return encoder.encode(password);
                    }

                    @Override
                    public boolean matches(CharSequence password, String stored) {
                        return encoder.matches(password, stored);
                    }
                });
                http.authenticationProvider(provider);
            }
        };

        abstract void configure(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void guessesAtUnknownNames_countForNoAccount_andTellNoNames(Wiring wiring) {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, Chain.class)
                .withPropertyValues("shop.wiring=" + wiring)
                .run(context -> {
                    assertThat(status(context, "alice", Services.PASSWORD, "192.0.2.1"))
                            .isEqualTo(200);
                    for (int i = 0; i < 7; i++) {
                        assertThat(status(context, "nobody" + i, "wrong" + i, "192.0.2.2"))
                                .isEqualTo(401);
                    }
                    for (String name : new String[] {"alice", "ghost"}) {
                        assertThat(status(context, name, "wrong", "192.0.2.2"))
                                .as(name)
                                .isEqualTo(401);
                    }
                });
    }

    private static int status(ApplicationContext context, String name, String password, String address)
            throws Exception {
        return Services.mvc(context)
                .perform(get("/hello")
                        .header("Authorization", ReactiveServices.basic(name, password))
                        .with(request -> {
                            request.setRemoteAddr(address);
                            return request;
                        }))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain chain(
                HttpSecurity http, UserDetailsService users, PasswordEncoder encoder, Environment environment)
                throws Exception {
            Wiring.valueOf(environment.getProperty("shop.wiring")).configure(http, users, encoder);
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }
}
