package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.spring.settings.LatchkeyMistakesAutoConfiguration;
import dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.test.web.reactive.server.SecurityMockServerConfigurers;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** Anyone may register the name of a local account at a provider, and must not spend the rate of the local account. */
class ThrottledCallersTest {

    private static final AutoConfigurations THROTTLES = AutoConfigurations.of(LatchkeyThrottleAutoConfiguration.class);
    private static final String[] ONE_EACH = {
        "latchkey.throttle.all.paths=/hello",
        "latchkey.throttle.all.principal.tokens=1",
        "latchkey.throttle.all.principal.per=1h",
        "latchkey.throttle.all.principal.burst=1"
    };
    private static final String LOCAL = ReactiveServices.basic("alice", Services.PASSWORD);

    @Test
    void userOfAProvider_spendsNoRateOfTheLocalAccountOfTheName() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withConfiguration(THROTTLES)
                .withPropertyValues(ONE_EACH)
                .run(context -> {
                    MockMvc mvc = mvc(context);
                    assertThat(status(mvc, hello().with(authentication(atProvider()))))
                            .isEqualTo(200);
                    assertThat(status(mvc, hello().with(authentication(atProvider()))))
                            .isEqualTo(429);
                    assertThat(status(mvc, hello().header(HttpHeaders.AUTHORIZATION, LOCAL)))
                            .isEqualTo(200);
                    assertThat(status(mvc, hello().header(HttpHeaders.AUTHORIZATION, LOCAL)))
                            .isEqualTo(429);
                });
    }

    /** Both starters have properties for Redis. Only the properties of the auth starter need a shared store of sessions. */
    @Test
    @ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
    void timeoutOfSharedThrottles_isNoKeyWithoutAReader(CapturedOutput log) {
        Services.web()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyMistakesAutoConfiguration.class, LatchkeyThrottleAutoConfiguration.class))
                .withPropertyValues(ONE_EACH)
                .withPropertyValues("latchkey.redis.timeout=2s", "latchkey.redis.wait-for-replicas=1")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log)
                .doesNotContain("latchkey.redis.timeout is set, and nothing reads")
                .contains("latchkey.redis.wait-for-replicas is set, and nothing reads");
    }

    @Test
    void userOfAProvider_onWebFlux_spendsNoRateOfTheLocalAccountOfTheName() {
        ReactiveServices.web()
                .withUserConfiguration(ReactiveAccounts.class)
                .withConfiguration(THROTTLES)
                .withPropertyValues(ONE_EACH)
                .run(context -> {
                    WebTestClient local = ReactiveServices.client(context);
                    WebTestClient other = WebTestClient.bindToApplicationContext(context)
                            .apply(SecurityMockServerConfigurers.springSecurity())
                            .configureClient()
                            .build()
                            .mutateWith(SecurityMockServerConfigurers.mockAuthentication(atProvider()));
                    assertThat(status(other, null)).isEqualTo(200);
                    assertThat(status(other, null)).isEqualTo(429);
                    assertThat(status(local, LOCAL)).isEqualTo(200);
                    assertThat(status(local, LOCAL)).isEqualTo(429);
                });
    }

    private static Authentication atProvider() {
        DefaultOAuth2User user = new DefaultOAuth2User(List.of(), Map.of("login", "alice"), "login");
        return new OAuth2AuthenticationToken(user, List.of(), "hub");
    }

    private static MockHttpServletRequestBuilder hello() {
        return get("/hello");
    }

    private static int status(MockMvc mvc, MockHttpServletRequestBuilder request) throws Exception {
        return mvc.perform(request).andReturn().getResponse().getStatus();
    }

    private static int status(WebTestClient client, @Nullable String authorization) {
        return client.get()
                .uri("/hello")
                .headers(headers -> {
                    if (authorization != null) {
                        headers.set(HttpHeaders.AUTHORIZATION, authorization);
                    }
                })
                .exchange()
                .returnResult(String.class)
                .getStatus()
                .value();
    }

    /** The throttle's filter is behind Spring Security's. */
    private static MockMvc mvc(ApplicationContext context) {
        FilterRegistrationBean<?> throttle = context.getBean("latchkeyThrottleFilter", FilterRegistrationBean.class);
        return MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                .apply(SecurityMockMvcConfigurers.springSecurity())
                .addFilters(throttle.getFilter())
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ReactiveServices.Hello.class)
    static class ReactiveAccounts {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(User.withUsername("alice")
                    .password(Services.HASH)
                    .authorities("ROLE_USER")
                    .build());
        }
    }
}
