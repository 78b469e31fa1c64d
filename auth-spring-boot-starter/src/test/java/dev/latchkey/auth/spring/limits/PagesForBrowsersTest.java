package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service replaces the body for a form over a limit by a page of its own, as {@code README.md} of the starter says. */
class PagesForBrowsersTest {

    private static final String PAGE = "<p>Too many attempts. Try again later.</p>";

    @Test
    void formOverALimit_getsThePage_withTheSameStatusAndFields() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean(FilterRegistrationBean.class, () -> {
                    FilterRegistrationBean<RefusedForm> filter = new FilterRegistrationBean<>(new RefusedForm());
                    filter.setOrder(-200);
                    return filter;
                })
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    for (int i = 0; i < 5; i++) {
                        assertThat(login(mvc, "wrong" + i).getRedirectedUrl()).isEqualTo("/login?error");
                    }
                    MockHttpServletResponse refused = login(mvc, Services.PASSWORD);
                    assertThat(refused.getStatus()).isEqualTo(429);
                    assertThat(refused.getHeader("Retry-After")).isNotNull();
                    assertThat(refused.getContentType()).startsWith("text/html");
                    assertThat(refused.getContentAsString()).isEqualTo(PAGE);
                });
    }

    @Test
    void formOverALimit_onWebFlux_getsThePage() {
        ReactiveServices.web().withUserConfiguration(Forms.class).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            for (int i = 0; i < 5; i++) {
                assertThat(login(client, "wrong" + i).getStatus().value()).isEqualTo(302);
            }
            EntityExchangeResult<String> refused = login(client, Services.PASSWORD);
            assertThat(refused.getStatus().value()).isEqualTo(429);
            assertThat(refused.getResponseHeaders().getFirst("Retry-After")).isNotNull();
            assertThat(refused.getResponseHeaders().getContentType()).isEqualTo(MediaType.TEXT_HTML);
            assertThat(refused.getResponseBody()).isEqualTo(PAGE);
        });
    }

    private static MockHttpServletResponse login(MockMvc mvc, String password) throws Exception {
        return mvc.perform(post("/login")
                        .with(csrf())
                        .accept("text/html")
                        .param("username", "alice")
                        .param("password", password))
                .andReturn()
                .getResponse();
    }

    private static EntityExchangeResult<String> login(WebTestClient client, String password) {
        return client.post()
                .uri("/login")
                .body(BodyInserters.fromFormData("username", "alice").with("password", password))
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    /** Outside of Latchkey's filter at -101. The answer is in the buffer, and is sent later. */
    static final class RefusedForm extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            chain.doFilter(request, response);
            boolean isRefused = Set.of(429, 503).contains(response.getStatus());
            if (isRefused && request.getRequestURI().endsWith("/login") && !response.isCommitted()) {
                response.resetBuffer();
                response.setContentType("text/html");
                response.getOutputStream().print(PAGE);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Forms {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(User.withUsername("alice")
                    .password("{noop}" + Services.PASSWORD)
                    .authorities("ROLE_USER")
                    .build());
        }

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        @Order(-200)
        WebFilter refusedForm() {
            return (exchange, chain) -> chain.filter(
                    exchange.getRequest().getPath().value().equals("/login")
                            ? exchange.mutate()
                                    .response(new RefusedPage(exchange.getResponse()))
                                    .build()
                            : exchange);
        }
    }

    /** WebFlux sends the body when the body is written, so the page replaces the body before. */
    private static final class RefusedPage extends ServerHttpResponseDecorator {

        RefusedPage(ServerHttpResponse response) {
            super(response);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            HttpStatusCode status = getStatusCode();
            if (status == null || !Set.of(429, 503).contains(status.value())) {
                return super.writeWith(body);
            }
            getHeaders().setContentType(MediaType.TEXT_HTML);
            getHeaders().setContentLength(PAGE.length());
            return super.writeWith(Flux.from(body)
                    .doOnNext(DataBufferUtils::release)
                    .thenMany(Mono.fromSupplier(() -> bufferFactory().wrap(PAGE.getBytes(StandardCharsets.UTF_8)))));
        }
    }
}
