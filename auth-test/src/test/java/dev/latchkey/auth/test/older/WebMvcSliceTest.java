package dev.latchkey.auth.test.older;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.LibraryController;
import dev.latchkey.auth.test.LibrarySecurity;
import dev.latchkey.auth.test.WithLatchkeySubject;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;

/** A controller behind the service's filters and rules, and nothing else of the service. */
@WebMvcTest(LibraryController.class)
@AutoConfigureLatchkeyTest
@Import(LibrarySecurity.class)
class WebMvcSliceTest {

    @Autowired
    MockMvc mvc;

    @Test
    void token_passesTheFilters() throws Exception {
        mvc.perform(get("/shelves").with(latchkey().subject("grace").authorities("ROLE_LIBRARIAN")))
                .andExpect(status().isOk())
                .andExpect(content().string("shelves of grace"));
        mvc.perform(get("/shelves").with(latchkey().authorities("ROLE_READER"))).andExpect(status().isForbidden());
    }

    @Test
    void tokenOfAnotherKey_isRefused() throws Exception {
        assertThatProblem(mvc.perform(get("/me").with(latchkey().signedByAnotherKey()))
                        .andReturn())
                .refusesTheToken();
    }

    @Test
    void requestWithoutAToken_isUnauthorized() throws Exception {
        mvc.perform(get("/me")).andExpect(status().isUnauthorized());
    }

    @Test
    @WithLatchkeySubject(value = "lee", authorities = "ROLE_LIBRARIAN")
    void subjectOfTheTest_needsNoToken() throws Exception {
        mvc.perform(get("/shelves")).andExpect(content().string("shelves of lee"));
    }

    @Test
    void endpoints_areThere() throws Exception {
        String answer = mvc.perform(post("/auth/token")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"username\":\"ada\",\"password\":\"analytical-engine\"}"))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(answer).contains("\"access_token\"", "\"expires_in\":1800");
    }
}
