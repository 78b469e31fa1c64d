package dev.latchkey.auth.test;

import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.web.context.WebApplicationContext;

/** A test with a subject has the same context as a request with a token of the subject. */
@WholeLibrary
@WithLatchkeySubject("of-the-class")
class WithLatchkeySubjectTest {

    @Autowired
    WebApplicationContext context;

    @Autowired
    AuthChain plugins;

    @Autowired
    TestTokens tokens;

    @Retention(RetentionPolicy.RUNTIME)
    @WithLatchkeySubject(value = "lee", authorities = "ROLE_LIBRARIAN")
    @interface AsLibrarian {}

    @Test
    void withoutOneOfItsOwn_aMethodHasThatOfTheClass() {
        assertThat(present().getName()).isEqualTo("of-the-class");
    }

    @Test
    @WithLatchkeySubject
    void withoutAName_itIsUser() {
        assertThat(present()).isEqualTo(LatchkeyAuthentication.ofOneRequest(Subject.of("user"), Factors.none()));
    }

    @Test
    @AsLibrarian
    void annotationOfOnesOwn_isUnderstood() throws Exception {
        assertThat(new LibraryMvc(context).send(get("/shelves")).getResponse().getContentAsString())
                .isEqualTo("shelves of lee");
    }

    @Test
    @WithLatchkeySubject(
            value = "ada",
            authorities = {"ROLE_READER", "SCOPE_read"},
            claims = {
                @SubjectClaim(name = "team", value = "engines"),
                @SubjectClaim(
                        name = "sites",
                        value = {"north", "south"}),
                @SubjectClaim(name = "branch", value = "north")
            },
            factors = {"pwd", "otp"})
    void authentication_isTheOneThatATokenGives() {
        Subject subject = new Subject(
                "ada",
                Set.of("ROLE_READER", "SCOPE_read"),
                Map.of("team", "engines", "sites", List.of("north", "south")));
        Authenticated ofAToken = (Authenticated) plugins.authenticate(
                BearerToken.of(
                        tokens.latchkey().subject(subject).factors("pwd", "otp").text()),
                RequestContext.none());
        Authentication expected = LatchkeyAuthentication.ofOneRequest(ofAToken.subject(), ofAToken.factors());
        assertThat(present()).hasSameClassAs(expected);
        assertThat(present().getPrincipal()).isEqualTo(expected.getPrincipal());
        assertThat(names(present())).isEqualTo(names(expected)).contains("FACTOR_PASSWORD");
    }

    /** No endpoint that issues tokens for a login may pass a test and then fail in the service. */
    @Test
    void class_isTheOneThatTheFilterMakes() throws Exception {
        String ofAToken =
                authenticationOf(get("/authentication").with(latchkey().subject("ada")));
        assertThat(ofAToken).startsWith("ada by ");
        assertThat(authenticationOf(get("/authentication"))).isEqualTo(ofAToken.replace("ada by ", "of-the-class by "));
    }

    private String authenticationOf(RequestBuilder request) throws Exception {
        return new LibraryMvc(context).send(request).getResponse().getContentAsString();
    }

    private static Authentication present() {
        return SecurityContextHolder.getContext().getAuthentication();
    }

    private static List<String> names(Authentication authentication) {
        return authentication.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .sorted()
                .toList();
    }
}
