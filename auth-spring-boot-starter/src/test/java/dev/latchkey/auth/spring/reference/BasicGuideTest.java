package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.Services;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

/** {@code getting-started/basic.md}, followed: the log line, the hits of the cache, and the limit. */
@ExtendWith(OutputCaptureExtension.class)
class BasicGuideTest {

    @TempDir
    Path folder;

    @Test
    void secondRequest_isAHit_asThePageShows(CapturedOutput output) throws Exception {
        try (Guide guide = Guide.of("getting-started/basic.md", folder)) {
            Actuators.web().withPropertyValues(guide.properties(0)).run(context -> {
                MockMvc mvc = Services.mvc(context);
                guide.shows(answer(mvc, "/hello", Services.PASSWORD).getContentAsString());
                guide.shows(answer(mvc, "/hello", Services.PASSWORD).getContentAsString());
                guide.shows(answer(mvc, "/actuator/latchkey", Services.PASSWORD).getContentAsString());
                assertThat(output.getOut().lines().filter(line -> line.contains("Password encoder '")))
                        .isNotEmpty()
                        .allSatisfy(line -> guide.shows(line.substring(line.indexOf("Password encoder '"))));
            });
        }
    }

    @Test
    void sixthWrongPassword_isRateLimited_asThePageShows() throws Exception {
        try (Guide guide = Guide.of("getting-started/basic.md", folder)) {
            Services.web().withUserConfiguration(Services.Accounts.class).run(context -> {
                MockMvc mvc = Services.mvc(context);
                for (int guess = 1; guess <= 5; guess++) {
                    mvc.perform(get("/hello").with(httpBasic("alice", "wrong" + guess)))
                            .andExpect(status().isUnauthorized());
                }
                MockHttpServletResponse sixth = answer(mvc, "/hello", "wrong6");
                guide.shows("HTTP/1.1 " + sixth.getStatus());
                String seconds = sixth.getHeader("Retry-After");
                // A slow test has used up some of the minute.
                assertThat(Integer.parseInt(seconds)).isBetween(1, 60);
                guide.shows("Retry-After: 60");
                guide.shows("RateLimit: " + sixth.getHeader("RateLimit").replace("t=" + seconds, "t=60"));
            });
        }
    }

    private static MockHttpServletResponse answer(MockMvc mvc, String path, String password) throws Exception {
        return mvc.perform(get(path).with(httpBasic("alice", password)))
                .andReturn()
                .getResponse();
    }
}
