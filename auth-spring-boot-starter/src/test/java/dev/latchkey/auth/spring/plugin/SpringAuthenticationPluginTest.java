package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationProvider;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.authentication.rememberme.CookieTheftException;

class SpringAuthenticationPluginTest extends LoginSourceContract {

    private static final BCryptPasswordEncoder ENCODER = new BCryptPasswordEncoder(4);
    private static final String STORED = ENCODER.encode(Services.PASSWORD);
    private static final PasswordCredentials ALICE = new PasswordCredentials("alice", Secret.of(Services.PASSWORD));

    @Override
    protected LoginSource<?> newPlugin() {
        return SpringAuthenticationPlugin.of("dao", provider(accounts()));
    }

    @Override
    protected Credentials validCredentials() {
        return ALICE;
    }

    @Override
    protected Credentials wrongCredentials() {
        return new PasswordCredentials("alice", Secret.of("not-the-password"));
    }

    @Override
    protected List<String> moreSecrets() {
        return List.of(STORED);
    }

    @Override
    protected Optional<LoginSource<?>> newPluginInOutage() {
        return Optional.of(SpringAuthenticationPlugin.of("dao", provider(name -> {
            throw new IllegalStateException("connection refused");
        })));
    }

    @Test
    void springsExceptionAboutTheAccount_isTheReason() {
        Map.of(
                        new BadCredentialsException("x"), RejectionReason.BAD_CREDENTIALS,
                        new DisabledException("x"), RejectionReason.ACCOUNT_DISABLED,
                        new LockedException("x"), RejectionReason.ACCOUNT_LOCKED,
                        new AccountExpiredException("x"), RejectionReason.ACCOUNT_EXPIRED,
                        new CredentialsExpiredException("x"), RejectionReason.CREDENTIALS_EXPIRED,
                        new CookieTheftException("x"), RejectionReason.BAD_CREDENTIALS)
                .forEach((failure, reason) ->
                        assertThat(answerOf(throwing(failure))).isEqualTo(Rejected.because(reason)));
    }

    @Test
    void exceptionBesidesTheCredentials_isAnOutage() {
        for (RuntimeException failure : List.of(
                new InternalAuthenticationServiceException("x"),
                new AuthenticationServiceException("x"),
                new IllegalStateException("pool exhausted"))) {
            assertThatThrownBy(() -> answerOf(throwing(failure)))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasRootCause(failure);
        }
    }

    @Test
    void authorityWithoutAName_isNoneOfTheSubject() {
        List<GrantedAuthority> authorities = List.of(new SimpleGrantedAuthority("ROLE_USER"), () -> null, () -> " ");
        Authentication login = UsernamePasswordAuthenticationToken.authenticated("alice", null, authorities);
        assertThat(answerOf(given -> login))
                .isEqualTo(Authenticated.as(Subject.of("alice").withAuthorities("ROLE_USER")));
    }

    @Test
    void pluginWithoutAnOpinion_abstains() {
        assertThat(answerOf(given -> null)).isEqualTo(Decision.abstained());
        assertThat(answerOf(throwing(new ProviderNotFoundException("x")))).isEqualTo(Decision.abstained());
        assertThat(answerOf(throwing(new UsernameNotFoundException("x")))).isEqualTo(Decision.abstained());
        assertThat(SpringAuthenticationPlugin.of("testing", new TestingAuthenticationProvider())
                        .authenticate(ALICE, RequestContext.none()))
                .isEqualTo(Decision.abstained());
    }

    @Test
    void success_isTheSubjectWithItsAuthorities_andNothingHalfDone() {
        assertThat(answerOf(given -> new TestingAuthenticationToken("bob", "", "ROLE_USER", "ROLE_USER", "x")))
                .isEqualTo(Authenticated.as(Subject.of("bob").withAuthorities("ROLE_USER", "x")));
        assertThat(answerOf(given -> {
                    TestingAuthenticationToken halfDone = new TestingAuthenticationToken("bob", "", "ROLE_USER");
                    halfDone.setAuthenticated(false);
                    return halfDone;
                }))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void nameThatIsNone_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpringAuthenticationPlugin.of("", new TestingAuthenticationProvider()));
    }

    private static Decision answerOf(AuthenticationManager manager) {
        return SpringAuthenticationPlugin.of("spring", manager).authenticate(ALICE, RequestContext.none());
    }

    private static AuthenticationManager throwing(RuntimeException failure) {
        return given -> {
            throw failure;
        };
    }

    @Test
    void wrongPasswordBeforeAnOutageOfTheNextProvider_countsAsAFailure() {
        DaoAuthenticationProvider local = provider(accounts());
        local.setPasswordEncoder(TestLoginEncoders.around(ENCODER));
        SpringAuthenticationPlugin plugin =
                SpringAuthenticationPlugin.of("both", new ProviderManager(local, provider(name -> {
                    throw new IllegalStateException("connection refused");
                })));
        assertThat(plugin.authenticate(ALICE, RequestContext.none())).isInstanceOf(Authenticated.class);
        assertThatThrownBy(() -> plugin.authenticate((PasswordCredentials) wrongCredentials(), RequestContext.none()))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        outage -> assertThat(outage.isAfterRejection()).isTrue());
        PasswordCredentials unknown = new PasswordCredentials("bob", Secret.of(Services.PASSWORD));
        assertThatThrownBy(() -> plugin.authenticate(unknown, RequestContext.none()))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        outage -> assertThat(outage.isAfterRejection()).isFalse());
    }

    /** An outage of the next plugin would otherwise count for the accounts of the next plugin. */
    @Test
    void accountThatAnUnseenProviderDoesNotKnow_isNotRejectedByTheProvider() {
        CurrentLogin login = new ComparedPassword("any").within(CurrentLogin.NONE);
        boolean counts = login.supply(() -> {
            answerOf(given -> {
                ComparedPassword.asking(CurrentLogin.here(), Unseen.FIRST);
                throw new UsernameNotFoundException("unknown");
            });
            ComparedPassword.asking(CurrentLogin.here(), Unseen.FIRST);
            return ComparedPassword.cutShort(login);
        });
        assertThat(counts).isFalse();
    }

    /** As an outage, a guess during an overload would be free. */
    @Test
    void overloadOfTheEncoder_staysAnOverload() {
        AuthUnavailableException full = AuthUnavailableException.overload("No hash in time", Duration.ofSeconds(3));
        SpringAuthenticationPlugin plugin = SpringAuthenticationPlugin.of("dao", (AuthenticationManager) given -> {
            throw full;
        });
        assertThatThrownBy(() -> plugin.authenticate(ALICE, RequestContext.none()))
                .isSameAs(full);
    }

    /** A store that ignores trailing blanks finds the account, and may answer with the sent name. */
    @Test
    void nameThatIsNoSubjectId_isNoOutage() {
        String longName = "alice" + " ".repeat(300);
        SpringAuthenticationPlugin plugin = SpringAuthenticationPlugin.of(
                "dao", (AuthenticationManager) given -> UsernamePasswordAuthenticationToken.authenticated(
                        longName, null, List.of(new SimpleGrantedAuthority("ROLE_USER"))));
        assertThat(plugin.authenticate(new PasswordCredentials(longName, Secret.of("x")), RequestContext.none()))
                .isEqualTo(Decision.abstained());
        assertThat(plugin.authenticate(ALICE, RequestContext.none())).isInstanceOf(Rejected.class);
    }

    private static UserDetailsService accounts() {
        return new InMemoryUserDetailsManager(User.withUsername("alice")
                .password(STORED)
                .authorities("ROLE_USER")
                .build());
    }

    private static DaoAuthenticationProvider provider(UserDetailsService users) {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
        provider.setPasswordEncoder(ENCODER);
        return provider;
    }
}
