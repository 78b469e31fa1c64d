package dev.latchkey.auth.test;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.web.context.WebApplicationContext;

/** Each repetition leaves state behind. Without a reset, the next repetition would fail. */
@WholeLibrary
@Tag("long")
class FreshStateTest {

    /** The allowed failures of one account from one client IP. */
    private static final int ALLOWED = 5;

    @Autowired
    WebApplicationContext context;

    @Autowired
    AuthChain plugins;

    @Autowired
    TestClock clock;

    private LibraryMvc library;

    @BeforeEach
    void openLibrary() {
        library = new LibraryMvc(context);
    }

    @RepeatedTest(3)
    void limitsOnLogins_startFull() throws Exception {
        for (int i = 0; i < ALLOWED; i++) {
            assertThat(wrongBasic(i)).isEqualTo(401);
        }
        assertThatProblem(library.login("wrong-again")).isTooManyRequests();
    }

    @Test
    void limitsOnLogins_recoverAsTheClockIsMoved() throws Exception {
        for (int i = 0; i <= ALLOWED; i++) {
            wrongBasic(i);
        }
        assertThat(library.login(LibrarySecurity.PASSWORD).getResponse().getStatus())
                .isEqualTo(429);
        clock.advance(Duration.ofMinutes(5));
        assertThat(library.login(LibrarySecurity.PASSWORD).getResponse().getStatus())
                .isEqualTo(200);
    }

    @RepeatedTest(3)
    void revocationsOfASubject_areForgotten() throws Exception {
        assertThat(library.status(get("/me").with(latchkey()))).isEqualTo(200);
        plugins.revokeAll("user", clock.instant().plus(Duration.ofDays(1)));
        assertThat(library.status(get("/me").with(latchkey()))).isEqualTo(401);
    }

    @Test
    void logins_areForgotten() throws Exception {
        String refresh = library.loggedIn("refresh_token");
        MvcResult first = refreshed(refresh);
        assertThat(first.getResponse().getStatus()).isEqualTo(200);
        context.getBean(FreshState.class).begin();
        String next = (String) JsonParserFactory.getJsonParser()
                .parseMap(first.getResponse().getContentAsString())
                .get("refresh_token");
        assertThatProblem(refreshed(next)).hasStatus(401);
    }

    @Test
    void verifiedCredentials_areForgotten() throws Exception {
        CredentialCache cache = context.getBean(CredentialCache.class);
        library.login(LibrarySecurity.PASSWORD);
        assertThat(cache.stats().size()).isPositive();
        context.getBean(FreshState.class).begin();
        assertThat(cache.stats().size()).isZero();
    }

    private MvcResult refreshed(String token) throws Exception {
        return library.send(post("/auth/token")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"refresh_token\":\"" + token + "\"}"));
    }

    @RepeatedTest(3)
    void clock_tellsThePresentAgain() {
        Instant machine = InstantSource.system().instant();
        assertThat(clock.instant()).isBetween(machine.minus(Duration.ofMinutes(10)), machine);
        clock.advance(Duration.ofDays(400));
    }

    /** A new password each time, because a repeated password is no new guess. */
    private int wrongBasic(int attempt) throws Exception {
        return library.status(get("/me").with((MockHttpServletRequest request) -> {
            request.setRemoteAddr(LibraryMvc.ELSEWHERE);
            request.addHeader("Authorization", basic("ada:wrong-" + attempt));
            return request;
        }));
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
