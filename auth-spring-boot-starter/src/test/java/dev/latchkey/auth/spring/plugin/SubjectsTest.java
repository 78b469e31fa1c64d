package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;

class SubjectsTest {

    private static final Subjects SUBJECTS = new Subjects(AuthChain.of(new Directory()));

    private static final Subject ALICE = Subject.of("alice").withAuthorities("ROLE_USER");

    @Test
    void loginOfAPlugin_isItsSubject() {
        assertThat(SUBJECTS.of(new LatchkeyAuthentication(ALICE))).contains(ALICE);
    }

    @Test
    void anyOtherLogin_isTheSubjectOfItsNameAndAuthorities() {
        assertThat(SUBJECTS.of(login("alice", "ROLE_USER"))).contains(ALICE);
        assertThat(SUBJECTS.of(new RememberMeAuthenticationToken(
                        "key", "alice", AuthorityUtils.createAuthorityList("ROLE_USER"))))
                .contains(ALICE);
    }

    @Test
    void switchedUser_isTheSubject_andTheAccountOfBeforeActs() {
        Authentication switched = UsernamePasswordAuthenticationToken.authenticated(
                "alice",
                null,
                List.of(new SwitchUserGrantedAuthority("ROLE_PREVIOUS_ADMINISTRATOR", login("admin", "ROLE_ADMIN"))));
        assertThat(SUBJECTS.of(switched).orElseThrow().id()).isEqualTo("alice");
        assertThat(SUBJECTS.of(switched).orElseThrow().actor()).contains("admin");
    }

    @Test
    void nobody_isNoSubject() {
        Authentication revoked = new LatchkeyAuthentication(ALICE);
        revoked.setAuthenticated(false);
        assertThat(SUBJECTS.of((Authentication) null)).isEmpty();
        assertThat(SUBJECTS.of(revoked)).isEmpty();
        assertThat(SUBJECTS.of(UsernamePasswordAuthenticationToken.unauthenticated("alice", "x")))
                .isEmpty();
        assertThat(SUBJECTS.of(new AnonymousAuthenticationToken(
                        "key", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))))
                .isEmpty();
    }

    @Test
    void nameThatNoSubjectCanHave_isNobody() {
        assertThat(SUBJECTS.of(login("", "ROLE_USER"))).isEmpty();
        assertThat(SUBJECTS.of(login("a\nb", "ROLE_USER"))).isEmpty();
        assertThat(SUBJECTS.of(login("a".repeat(256), "ROLE_USER"))).isEmpty();
    }

    @Test
    void authoritiesWithoutAText_areLeftOut() {
        GrantedAuthority object = () -> null;
        GrantedAuthority blank = () -> " ";
        GrantedAuthority user = () -> "ROLE_USER";
        TestingAuthenticationToken login = new TestingAuthenticationToken("alice", "x", List.of(object, blank, user));
        assertThat(SUBJECTS.of(login)).contains(ALICE);
    }

    @Test
    void loginAtAnOutsideSource_hasTheNameOfTheSource_andNoLocalAccounts() {
        assertThat(SUBJECTS.of(outside("alice")))
                .contains(Subject.of("oauth2:hub:alice").withAuthorities("ROLE_USER"));
        assertThat(SUBJECTS.of((Principal) outside("alice")).orElseThrow().id()).isEqualTo("oauth2:hub:alice");
        assertThat(SUBJECTS.of((Principal) () -> "alice")).isEmpty();
    }

    /** RFC 8693 section 4.1; a claim of another form tells that some account acts. */
    @Test
    void tokenOfAResourceServer_tellsWhoActs() {
        assertThat(SUBJECTS.of(token("alice", Map.of("sub", "support"))).flatMap(Subject::actor))
                .contains("support");
        assertThat(SUBJECTS.of(token("alice", "support")).flatMap(Subject::actor))
                .contains("");
        assertThat(SUBJECTS.of(token("alice", null)).flatMap(Subject::actor)).isEmpty();
    }

    /** A resource server asks the introspection endpoint about a key. */
    @Test
    void keyAtAResourceServer_isAKey() {
        assertThat(keyAt(introspected(Map.of("sub", "ada", "api_key", "k1")))).isEqualTo("k1");
        assertThat(keyAt(introspected(Map.of("sub", "ada", "api_key", List.of()))))
                .isEqualTo("");
        assertThat(keyAt(introspected(Map.of("sub", "ada")))).isNull();
    }

    private static @Nullable Object keyAt(Authentication login) {
        return SUBJECTS.of(login).orElseThrow().claims().get(Subject.KEY_CLAIM);
    }

    private static Authentication introspected(Map<String, Object> attributes) {
        OAuth2AuthenticatedPrincipal principal = new DefaultOAuth2AuthenticatedPrincipal("ada", attributes, List.of());
        return UsernamePasswordAuthenticationToken.authenticated(principal, null, List.of());
    }

    @Test
    void localAccountNamedLikeASubjectOfAnotherSource_isNobody() {
        AuthChain chain = AuthChain.of(new StaffPlugin(), new Directory());
        Subjects subjects = new Subjects(chain);
        assertThat(subjects.of(login("directory:bob", "ROLE_USER"))).isEmpty();
        assertThat(subjects.hasForeignName(login("directory:bob", "ROLE_USER"))).isTrue();
        assertThat(subjects.hasForeignName(new LatchkeyAuthentication(Subject.of("directory:bob"))))
                .isFalse();
        assertThat(subjects.hasForeignName(token("directory:bob", null))).isFalse();
        assertThat(subjects.hasForeignName(outside("directory:bob"))).isFalse();
        assertThat(subjects.hasForeignName(null)).isFalse();
    }

    private static Authentication outside(String name) {
        return new OAuth2AuthenticationToken(
                new DefaultOAuth2User(AuthorityUtils.createAuthorityList("ROLE_USER"), Map.of("login", name), "login"),
                AuthorityUtils.createAuthorityList("ROLE_USER"),
                "hub");
    }

    private static Authentication token(String name, @Nullable Object actor) {
        Jwt.Builder jwt = Jwt.withTokenValue("t").header("alg", "HS256").subject(name);
        return new JwtAuthenticationToken(
                (actor == null ? jwt : jwt.claim("act", actor)).build(),
                AuthorityUtils.createAuthorityList("ROLE_USER"));
    }

    private static Authentication login(String name, String authority) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(authority));
    }

    /** The first source of the chain, whose accounts have no prefix. */
    private static final class StaffPlugin implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "staff";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return Decision.abstained();
        }
    }
}
