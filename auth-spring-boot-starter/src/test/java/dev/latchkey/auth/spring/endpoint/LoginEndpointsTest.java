package dev.latchkey.auth.spring.endpoint;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.EndpointTranscript;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.metrics.LatchkeyMetricsAutoConfiguration;
import dev.latchkey.auth.spring.metrics.LoginService;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.store.LoginStore;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Login, refresh, revocation and logout as a client meets them in a servlet service. */
public class LoginEndpointsTest {

    private final WebApplicationContextRunner service = Services.web()
            .withConfiguration(
                    AutoConfigurations.of(LatchkeyMetricsAutoConfiguration.class, LatchkeyAutoConfiguration.class))
            .withUserConfiguration(LoginService.class, OnServlets.class)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    @ParameterizedTest
    @MethodSource("dev.latchkey.auth.spring.EndpointTranscript#sections")
    void transcript(EndpointTranscript transcript) {
        service.withPropertyValues(transcript.properties()).run(context -> {
            MockMvc mvc = Services.mvc(context);
            EndpointPlay.play(transcript, request -> send(mvc, request), context.getBean(LoginService.Observed.class));
        });
    }

    @Test
    void endpointsAndStores_areThereWhereTheyAreAskedForOnly() {
        service.withPropertyValues("latchkey.login.refresh.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(TokenEndpoint.class)
                        .doesNotHaveBean(LoginStore.class)
                        .doesNotHaveBean(RefreshableLogins.class));
        service.withPropertyValues("latchkey.login.enabled=false", "latchkey.login.refresh.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(LoginStore.class).doesNotHaveBean(AuthEndpoint.class));
    }

    /** An exception would end in an error dispatch, with 401 or a page of the server. */
    @Test
    void bodyThatEndsTooEarly_isAMistakeOfTheRequest() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(mvc.perform(servlets -> broken(servlets, "/auth/token"))
                            .andReturn()
                            .getResponse())
                    .returns(400, MockHttpServletResponse::getStatus)
                    .returns("application/problem+json", MockHttpServletResponse::getContentType);
            MockHttpServletResponse revocation = mvc.perform(servlets -> broken(servlets, "/auth/revoke"))
                    .andReturn()
                    .getResponse();
            assertThat(revocation.getStatus()).isEqualTo(400);
            assertThat(revocation.getContentAsString()).contains("invalid_request");
        });
    }

    private static MockHttpServletRequest broken(ServletContext servlets, String path) {
        MockHttpServletRequest request = new MockHttpServletRequest(servlets, "POST", path) {
            @Override
            public ServletInputStream getInputStream() {
                return new DelegatingServletInputStream(new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new EOFException("The client has left");
                    }

                    @Override
                    public int read(byte[] bytes, int start, int length) throws IOException {
                        return read();
                    }
                });
            }
        };
        request.setContentType("application/json");
        return request;
    }

    private static EndpointPlay.Reply send(MockMvc mvc, EndpointPlay.Request request) throws Exception {
        MockHttpServletRequestBuilder builder = MockMvcRequestBuilders.request(
                        HttpMethod.valueOf(request.method()), URI.create(request.uri()))
                .content(request.body());
        // As they are written: the typed setter refuses what is no media type.
        request.headers().forEach(header -> builder.header(header.getKey(), header.getValue()));
        MockHttpServletResponse response = mvc.perform(builder).andReturn().getResponse();
        Map<String, List<String>> headers = new HashMap<>();
        response.getHeaderNames().forEach(name -> headers.put(name, response.getHeaders(name)));
        return new EndpointPlay.Reply(
                response.getStatus(), headers, response.getContentAsString(StandardCharsets.UTF_8));
    }

    @Configuration(proxyBeanMethods = false)
    public static class OnServlets {

        @Bean
        UserDetailsService accounts(LoginService.Observed service) {
            return name -> {
                UserDetails account = service.account(name);
                if (account == null) {
                    throw new UsernameNotFoundException("No such name");
                }
                return account;
            };
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
