package dev.latchkey.auth.spring.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;

class SubjectsTest {

    private static final Subject ALICE = Subject.of("alice").withAuthorities("ROLE_USER");

    @Test
    void loginOfAPlugin_isItsSubject() {
        assertThat(Subjects.of(new LatchkeyAuthentication(ALICE))).contains(ALICE);
    }

    @Test
    void anyOtherLogin_isTheSubjectOfItsNameAndAuthorities() {
        assertThat(Subjects.of(login("alice", "ROLE_USER"))).contains(ALICE);
        assertThat(Subjects.of(new RememberMeAuthenticationToken(
                        "key", "alice", AuthorityUtils.createAuthorityList("ROLE_USER"))))
                .contains(ALICE);
    }

    @Test
    void nobody_isNoSubject() {
        Authentication revoked = new LatchkeyAuthentication(ALICE);
        revoked.setAuthenticated(false);
        assertThat(Subjects.of(null)).isEmpty();
        assertThat(Subjects.of(revoked)).isEmpty();
        assertThat(Subjects.of(UsernamePasswordAuthenticationToken.unauthenticated("alice", "x")))
                .isEmpty();
        assertThat(Subjects.of(new AnonymousAuthenticationToken(
                        "key", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))))
                .isEmpty();
    }

    @Test
    void nameThatNoSubjectCanHave_isNobody() {
        assertThat(Subjects.of(login("", "ROLE_USER"))).isEmpty();
        assertThat(Subjects.of(login("a\nb", "ROLE_USER"))).isEmpty();
        assertThat(Subjects.of(login("a".repeat(256), "ROLE_USER"))).isEmpty();
    }

    @Test
    void authoritiesWithoutAText_areLeftOut() {
        GrantedAuthority object = () -> null;
        GrantedAuthority blank = () -> " ";
        GrantedAuthority user = () -> "ROLE_USER";
        TestingAuthenticationToken login = new TestingAuthenticationToken("alice", "x", List.of(object, blank, user));
        assertThat(Subjects.of(login)).contains(ALICE);
    }

    private static Authentication login(String name, String authority) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(authority));
    }
}
