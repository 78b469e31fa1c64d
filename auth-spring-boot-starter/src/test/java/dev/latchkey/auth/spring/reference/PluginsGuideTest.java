package dev.latchkey.auth.spring.reference;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.web.servlet.MockMvc;

/** {@code getting-started/plugins.md}, followed. */
class PluginsGuideTest {

    @TempDir
    Path folder;

    @Test
    void beanOfThePage_decidesAboutItsOwnAccount_besidesThoseOfTheService() throws Exception {
        try (Guide guide = Guide.of("getting-started/plugins.md", folder)) {
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class, guide.type("Robot"))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        guide.shows(mvc.perform(get("/hello").with(httpBasic("robot", "gears-and-springs-are-enough")))
                                .andExpect(status().isOk())
                                .andReturn()
                                .getResponse()
                                .getContentAsString());
                        mvc.perform(get("/hello").with(httpBasic("robot", Services.PASSWORD)))
                                .andExpect(status().isUnauthorized());
                        mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                                .andExpect(status().isOk());
                    });
        }
    }
}
