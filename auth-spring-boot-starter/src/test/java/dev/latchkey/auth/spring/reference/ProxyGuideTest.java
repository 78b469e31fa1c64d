package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** {@code how-to/behind-a-proxy.md}, followed: the proxy is at 10.0.8.9, and its header field names the clients. */
class ProxyGuideTest {

    @TempDir
    Path folder;

    @Test
    void sixthGuess_isRefused_whereTheProxyNamesTheClient_andItsNeighbourIsNot() throws Exception {
        try (Guide guide = Guide.of("how-to/behind-a-proxy.md", folder)) {
            Services.web()
                    .withUserConfiguration(Services.Accounts.class)
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        for (int i = 0; i < 5; i++) {
                            mvc.perform(guess("203.0.113.7", i)).andExpect(status().isUnauthorized());
                        }
                        MockHttpServletResponse refused = mvc.perform(guess("203.0.113.7", 5))
                                .andExpect(status().isTooManyRequests())
                                .andReturn()
                                .getResponse();
                        guide.shows("HTTP/1.1 " + refused.getStatus());
                        // A slow test has used up some of the minute.
                        assertThat(Integer.parseInt(refused.getHeader("Retry-After")))
                                .isBetween(1, 60);
                        guide.shows("Retry-After: 60");
                        mvc.perform(guess("203.0.113.8", 5)).andExpect(status().isUnauthorized());
                    });
        }
    }

    @Test
    void otherField_isReadWhereItIsNamed() throws Exception {
        try (Guide guide = Guide.of("how-to/behind-a-proxy.md", folder)) {
            Services.web()
                    .withUserConfiguration(Services.Accounts.class)
                    .withPropertyValues(guide.configuration(1))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        for (int i = 0; i < 5; i++) {
                            mvc.perform(guess("203.0.113.7", i).header("Forwarded", "for=203.0.113.7"))
                                    .andExpect(status().isUnauthorized());
                        }
                        mvc.perform(guess("203.0.113.8", 5).header("Forwarded", "for=203.0.113.7"))
                                .andExpect(status().isTooManyRequests());
                    });
        }
    }

    private static MockHttpServletRequestBuilder guess(String client, int number) {
        return get("/hello")
                .with(httpBasic("alice", "guess-" + number))
                .with(request -> {
                    request.setRemoteAddr("10.0.8.9");
                    return request;
                })
                .header("X-Forwarded-For", "198.51.100.1, " + client);
    }
}
