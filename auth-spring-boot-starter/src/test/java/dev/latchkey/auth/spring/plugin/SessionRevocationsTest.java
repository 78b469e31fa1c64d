package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;

/** HTTP sessions: the subject of each kind of login, and the sessions that a revocation ends. */
class SessionRevocationsTest {

    private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");

    private final RevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
    private final SessionRevocations sessions = new SessionRevocations(
            AuthChain.of(List.of()).withOutsideSources(OutsideSources.kinds()), store, () -> NOW);

    @Test
    void subjectOfALocalLogin_isItsName() {
        assertThat(sessions.subjectOf(login("alice"))).contains("alice");
        assertThat(sessions.subjectOf(new LatchkeyAuthentication(Subject.of("ada"))))
                .contains("ada");
    }

    @Test
    void subjectOfAProvider_beginsWithItsRegistration() {
        assertThat(sessions.subjectOf(new OAuth2AuthenticationToken(
                        new DefaultOAuth2User(AuthorityUtils.NO_AUTHORITIES, Map.of("sub", "7"), "sub"),
                        AuthorityUtils.NO_AUTHORITIES,
                        "google")))
                .contains("oauth2:google:7");
        assertThat(sessions.subjectOf(saml("idp"))).contains("saml2:idp:7");
        assertThat(OutsideSources.nameOf(saml(null))).contains(new OutsideSources.Name("saml2:", "7"));
        assertThat(OutsideSources.nameOf(login("alice"))).isEmpty();
    }

    /** Spring Security 7 gives the principal no registration, and allows principals of any type. */
    @Test
    void samlLoginWithTheRegistration_isOfThisRegistration() {
        DefaultSaml2AuthenticatedPrincipal principal = new DefaultSaml2AuthenticatedPrincipal("7", Map.of());
        assertThat(sessions.subjectOf(new RegisteredLogin(principal, "idp"))).contains("saml2:idp:7");
        assertThat(sessions.subjectOf(new RegisteredLogin(() -> "7", "idp"))).contains("saml2:idp:7");
        assertThat(OutsideSources.nameOf(new RegisteredLogin(() -> "7", null)))
                .contains(new OutsideSources.Name("saml2:", "7"));
        principal.setRelyingPartyRegistrationId("own");
        assertThat(sessions.subjectOf(new RegisteredLogin(principal, "idp"))).contains("saml2:own:7");
    }

    @Test
    void samlLoginWithAPrincipalOfTheService_isNoLocalAccount() {
        Saml2Authentication login = new Saml2Authentication(
                (AuthenticatedPrincipal) () -> "alice", "<response/>", AuthorityUtils.NO_AUTHORITIES);
        assertThat(sessions.subjectOf(login)).contains("saml2::alice");
    }

    @Test
    void loginThatNoSessionKeeps_hasNoSubject() {
        assertThat(sessions.subjectOf(null)).isEmpty();
        assertThat(sessions.subjectOf(UsernamePasswordAuthenticationToken.unauthenticated("alice", "x")))
                .isEmpty();
        assertThat(sessions.subjectOf(new AnonymousAuthenticationToken(
                        "key", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))))
                .isEmpty();
        assertThat(sessions.subjectOf(LatchkeyAuthentication.ofOneRequest(Subject.of("ada"), Factors.none())))
                .isEmpty();
        assertThat(sessions.subjectOf(login(""))).isEmpty();
    }

    @Test
    void sessionBeforeARevocation_isRevoked_andALaterOneIsNot() {
        assertThat(sessions.isRevoked(login("alice"), subject -> NOW)).isFalse();
        store.revokeSubject("alice", NOW);
        Instant notBefore = store.notBefore("alice");
        assertThat(sessions.isRevoked(login("alice"), subject -> notBefore.minusMillis(1)))
                .isTrue();
        assertThat(sessions.isRevoked(login("alice"), subject -> notBefore)).isFalse();
        assertThat(sessions.isRevoked(login("bob"), subject -> NOW)).isFalse();
    }

    @Test
    void switchedLogin_isOfAllItsAccounts_andNotOfCredentialsOfOneRequest() {
        Authentication admin = login("admin");
        Authentication asBob = switched("bob", admin);
        Authentication asEve = switched("eve", asBob);
        assertThat(sessions.subjectsOf(null)).isEmpty();
        assertThat(sessions.subjectsOf(admin)).containsExactly("admin");
        assertThat(sessions.subjectsOf(asEve)).containsExactly("eve", "bob", "admin");
        assertThat(sessions.isRevoked(asEve, subject -> NOW)).isFalse();
        store.revokeSubject("admin", NOW);
        assertThat(sessions.isRevoked(asEve, subject -> NOW.minusSeconds(1))).isTrue();
        Authentication byToken =
                switched("bob", LatchkeyAuthentication.ofOneRequest(Subject.of("ada"), Factors.none()));
        assertThat(sessions.isRevoked(byToken, subject -> NOW)).isTrue();
    }

    private static Authentication switched(String name, Authentication source) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, List.of(new SwitchUserGrantedAuthority("ROLE_PREVIOUS_ADMINISTRATOR", source)));
    }

    @Test
    void timeOfTheLogin_comesBeforeThatOfTheSession() {
        assertThat(SessionRevocations.timeOf(NOW.toEpochMilli(), NOW.minusSeconds(60)))
                .isEqualTo(NOW);
        assertThat(SessionRevocations.timeOf(null, NOW)).isEqualTo(NOW);
        assertThat(SessionRevocations.timeOf("no time", NOW)).isEqualTo(NOW);
    }

    @Test
    void attribute_isOfTheSubject_andTheTimeIsThatOfTheClock() {
        assertThat(SessionRevocations.attributeOf("alice"))
                .endsWith(" alice")
                .startsWith(SessionRevocations.class.getName());
        assertThat(sessions.now()).isEqualTo(NOW);
    }

    @Test
    void kindsOfProviders_mayBeShared_withARegistration() {
        assertThat(OutsideSources.kinds()).isEqualTo(Set.of("oauth2", "saml2"));
        assertThat(OutsideSources.isOne("oauth2:google")).isTrue();
        assertThat(OutsideSources.isOne("saml2:idp")).isTrue();
        assertThat(OutsideSources.isOne("oauth2")).isFalse();
        assertThat(OutsideSources.isOne("users")).isFalse();
    }

    private static Authentication login(String name) {
        return UsernamePasswordAuthenticationToken.authenticated(name, null, AuthorityUtils.NO_AUTHORITIES);
    }

    private static Saml2Authentication saml(String registration) {
        DefaultSaml2AuthenticatedPrincipal principal = new DefaultSaml2AuthenticatedPrincipal("7", Map.of());
        if (registration != null) {
            principal.setRelyingPartyRegistrationId(registration);
        }
        return new Saml2Authentication(principal, "<response/>", AuthorityUtils.NO_AUTHORITIES);
    }

    /** The shape of Spring Security 7's login. */
    static final class RegisteredLogin extends Saml2Authentication {

        private static final long serialVersionUID = 1L;

        private final @Nullable String registration;

        RegisteredLogin(AuthenticatedPrincipal principal, @Nullable String registration) {
            super(principal, "<response/>", AuthorityUtils.NO_AUTHORITIES);
            this.registration = registration;
        }

        public @Nullable String getRelyingPartyRegistrationId() {
            return registration;
        }
    }
}
