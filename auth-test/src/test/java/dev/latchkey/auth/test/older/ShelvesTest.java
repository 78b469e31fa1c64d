package dev.latchkey.auth.test.older;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThat;
import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.LibraryController;
import dev.latchkey.auth.test.LibrarySecurity;
import dev.latchkey.auth.test.SubjectClaim;
import dev.latchkey.auth.test.TestClock;
import dev.latchkey.auth.test.TestTokens;
import dev.latchkey.auth.test.WithLatchkeySubject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

/** What README.md shows. */
@WebMvcTest(LibraryController.class)
@AutoConfigureLatchkeyTest
@Import(LibrarySecurity.class)
class ShelvesTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestClock clock;

    @Autowired
    TestTokens tokens;

    @Autowired
    AuthChain plugins;

    @Test
    void shelves_areForLibrarians() throws Exception {
        var ada = latchkey().subject("ada");
        mvc.perform(get("/shelves").with(ada.authorities("ROLE_LIBRARIAN"))).andExpect(status().isOk());
        mvc.perform(get("/shelves").with(ada)).andExpect(status().isForbidden());
        mvc.perform(get("/shelves").with(ada.expired())).andExpect(status().isUnauthorized());
    }

    @Test
    @WithLatchkeySubject(
            value = "ada",
            authorities = "ROLE_LIBRARIAN",
            claims = @SubjectClaim(name = "branch", value = "north"))
    void librarian_seesTheShelves() throws Exception {
        mvc.perform(get("/shelves")).andExpect(status().isOk());
    }

    @Test
    void token_isGoodForHalfAnHour() throws Exception {
        var token = latchkey().token(tokens.latchkey().subject("ada").text());
        clock.advance(Duration.ofMinutes(30).minusSeconds(1));
        mvc.perform(get("/me").with(token)).andExpect(status().isOk());
        clock.advance(Duration.ofSeconds(1));
        assertThatProblem(mvc.perform(get("/me").with(token)).andReturn()).refusesTheToken();
    }

    @Test
    void sixthGuess_isRefused() throws Exception {
        for (int i = 0; i < 5; i++) {
            mvc.perform(login("guess " + i)).andExpect(status().isUnauthorized());
        }
        assertThatProblem(mvc.perform(login("guess 5")).andReturn()).isTooManyRequests();
        clock.advance(Duration.ofMinutes(5));
        mvc.perform(login("analytical-engine")).andExpect(status().isOk());
    }

    @Test
    void verdict_saysWhy() {
        var token = BearerToken.of(tokens.latchkey().subject("ada").revoked().text());
        assertThat(plugins.authenticate(token, RequestContext.none())).isRejectedBecause(RejectionReason.REVOKED);
    }

    private static MockHttpServletRequestBuilder login(String password) {
        RequestPostProcessor elsewhere = request -> {
            request.setRemoteAddr("203.0.113.7");
            return request;
        };
        return post("/auth/token")
                .contentType("application/json")
                .content("{\"username\":\"ada\",\"password\":\"" + password + "\"}")
                .with(elsewhere);
    }
}
