package dev.latchkey.auth.test;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.StaticWebApplicationContext;

/** Tokens of tests equal tokens of the service, and pass or fail alike. */
@WholeLibrary
class MockMvcTokenTest {

    @Autowired
    WebApplicationContext context;

    @Autowired
    AuthChain plugins;

    @Autowired
    TestClock clock;

    @Autowired
    TestTokens tokens;

    @Autowired
    JwtVerifier verifier;

    @Autowired
    TokenIssuer issuer;

    private LibraryMvc library;

    @BeforeEach
    void openLibrary() {
        library = new LibraryMvc(context);
    }

    @Test
    void tokenOfASubject_isAccepted() throws Exception {
        MvcResult me = library.send(get("/me").with(latchkey().subject("grace").claim("team", "compilers")));
        assertThat(me.getResponse().getStatus()).isEqualTo(200);
        assertThat(me.getResponse().getContentAsString())
                .startsWith("grace ")
                .contains("team=compilers", "branch=north");
    }

    @Test
    void tokenWithoutSteps_isOfAUserWithoutAuthorities() throws Exception {
        MvcResult me = library.send(get("/me").with(latchkey()));
        assertThat(me.getResponse().getContentAsString()).startsWith("user ");
        assertThat(library.status(get("/shelves").with(latchkey()))).isEqualTo(403);
    }

    @Test
    void authorities_openWhatTheyOpen() throws Exception {
        MockMvcToken grace = latchkey().subject("grace");
        assertThat(library.status(get("/shelves").with(grace.authorities("ROLE_READER"))))
                .isEqualTo(403);
        assertThat(library.status(get("/shelves").with(grace.authorities("ROLE_LIBRARIAN"))))
                .isEqualTo(200);
    }

    @Test
    void step_leavesWhatItStartsFrom() throws Exception {
        MockMvcToken grace = latchkey().subject("grace").authorities("ROLE_LIBRARIAN");
        grace.expired();
        grace.authorities();
        assertThat(library.status(get("/shelves").with(grace))).isEqualTo(200);
    }

    @Test
    void expiredToken_isRefused() throws Exception {
        assertThatProblem(library.send(get("/me").with(latchkey().expired()))).refusesTheToken();
    }

    @Test
    void tokenOfAnotherKey_isRefused() throws Exception {
        assertThatProblem(library.send(get("/me").with(latchkey().signedByAnotherKey())))
                .refusesTheToken();
    }

    @Test
    void revokedToken_isRefused_andOthersOfItsSubjectAreNot() throws Exception {
        assertThatProblem(library.send(get("/me").with(latchkey().revoked()))).refusesTheToken();
        assertThat(library.status(get("/me").with(latchkey()))).isEqualTo(200);
    }

    @Test
    void tokenAfterARevocationOfItsSubject_isAccepted() throws Exception {
        MockMvcToken earlier = latchkey().token(tokens.latchkey().text());
        plugins.revokeAll("user", clock.instant());
        assertThat(library.status(get("/me").with(earlier))).isEqualTo(401);
        assertThat(library.status(get("/me").with(latchkey()))).isEqualTo(200);
    }

    @Test
    void tokenOfABannedSubject_isRefused() throws Exception {
        plugins.revokeAll("user", clock.instant().plusSeconds(1));
        assertThat(library.status(get("/me").with(latchkey()))).isEqualTo(401);
    }

    @Test
    void textInPlaceOfAToken_isSentAsItIs() throws Exception {
        assertThatProblem(library.send(get("/me").with(latchkey().token("none-at-all"))))
                .refusesTheToken();
        String ofALogin = library.loggedIn("access_token");
        assertThat(library.send(get("/me").with(latchkey().token(ofALogin)))
                        .getResponse()
                        .getContentAsString())
                .startsWith("ada ");
    }

    @Test
    void token_endsWhenItsTimeIsOver_byTheClockThatIsMoved() throws Exception {
        MockMvcToken token = latchkey()
                .token(tokens.latchkey().lifetime(Duration.ofMinutes(10)).text());
        clock.advance(Duration.ofSeconds(599));
        assertThat(library.status(get("/me").with(token))).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));
        assertThatProblem(library.send(get("/me").with(token))).refusesTheToken();
    }

    @Test
    void tokenOfALogin_endsByTheSameClock() throws Exception {
        MockMvcToken token = latchkey().token(library.loggedIn("access_token"));
        clock.advance(Duration.ofMinutes(30).minusSeconds(1));
        assertThat(library.status(get("/me").with(token))).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));
        assertThat(library.status(get("/me").with(token))).isEqualTo(401);
    }

    @Test
    void tokenOfATest_saysWhatTheTokenOfALoginSays() throws Exception {
        VerifiedJwt ofALogin = verifier.verifyOrThrow(library.loggedIn("access_token"));
        VerifiedJwt ofATest = verifier.verifyOrThrow(
                tokens.latchkey().subject("ada").authorities("ROLE_READER").text());
        assertThat(comparable(ofATest)).isEqualTo(comparable(ofALogin));
    }

    @Test
    void customizedToken_saysWhatTheTokenOfALoginSays() {
        Subject guest = Subject.of("ada").withAuthorities("ROLE_GUEST");
        IssuedTokens ofALogin =
                (IssuedTokens) issuer.issue(new LatchkeyAuthentication(guest)).orElseThrow();
        JwtVerifier anyAudience = verifier.acceptingAnyAudience();
        VerifiedJwt login = anyAudience.verifyOrThrow(ofALogin.access().value());
        VerifiedJwt test =
                anyAudience.verifyOrThrow(tokens.latchkey().subject(guest).text());
        assertThat(comparable(test)).isEqualTo(comparable(login)).containsEntry("aud", "guests");
    }

    @Test
    void customizedToken_hasTheLifetimeOfTheTest() {
        String token = tokens.latchkey()
                .authorities("ROLE_GUEST")
                .lifetime(Duration.ofMinutes(10))
                .text();
        assertThat(verifier.acceptingAnyAudience().verifyOrThrow(token).expiresAt())
                .contains(clock.instant().plus(Duration.ofMinutes(10)));
    }

    /** The service answers such a login with 500. */
    @Test
    void customizedLifetimeAboveTheMaximum_failsAsInTheService() {
        Subject forever = Subject.of("ada").withAuthorities("ROLE_FOREVER");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> issuer.issue(new LatchkeyAuthentication(forever)))
                .satisfies(ofTheService -> assertThatIllegalArgumentException()
                        .isThrownBy(
                                () -> library.send(get("/me").with(latchkey().subject(forever))))
                        .withMessage(ofTheService.getMessage()));
    }

    @Test
    void lifetimeOfTheTest_mayBeAboveTheMaximum() throws Exception {
        assertThat(library.status(
                        get("/me").with(latchkey().authorities("ROLE_FOREVER").lifetime(Duration.ofDays(400)))))
                .isEqualTo(200);
    }

    @Test
    void factors_areInTheTokenAsOfNow() {
        Map<String, Object> claims = verifier.verifyOrThrow(
                        tokens.latchkey().factors("pwd", "otp").text())
                .claims();
        assertThat(claims.get("amr")).isEqualTo(List.of("otp", "pwd"));
        assertThat(claims.get("auth_time"))
                .asString()
                .isEqualTo(Long.toString(clock.instant().getEpochSecond()));
    }

    @Test
    void subjectThatNobodyCanBe_isRefusedBeforeTheRequest() {
        assertThatIllegalArgumentException().isThrownBy(() -> latchkey().subject(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> latchkey().claim("sub", "other"));
    }

    @Test
    void wholeSubject_isTakenAsItIs() throws Exception {
        Subject subject = new Subject("grace", Set.of("ROLE_LIBRARIAN"), Map.of("team", "compilers"));
        assertThat(library.status(get("/shelves").with(latchkey().subject(subject))))
                .isEqualTo(200);
    }

    @Test
    void contextWithoutAKey_isSaidToHaveNone() {
        try (StaticWebApplicationContext empty = new StaticWebApplicationContext()) {
            empty.refresh();
            assertThatIllegalStateException()
                    .isThrownBy(() -> TestTokens.of(empty).latchkey().text())
                    .withMessageContaining("@AutoConfigureLatchkeyTest");
        }
    }

    /** All claims without the claims that differ between tokens. */
    private static Map<String, Object> comparable(VerifiedJwt jwt) {
        Map<String, Object> claims = new TreeMap<>(jwt.claims());
        claims.remove("jti");
        // The session's id, since the login also had a refresh token.
        claims.remove("sid");
        return claims;
    }
}
