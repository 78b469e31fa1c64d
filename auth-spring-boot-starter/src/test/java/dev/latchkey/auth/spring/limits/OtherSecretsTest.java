package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/** A repeated wrong password is one guess. The right password with one code after another is a guess each time. */
class OtherSecretsTest {

    private static final String RIGHT = "right";
    private static final String STORED = new BCryptPasswordEncoder(4).encode(RIGHT);

    private final GuardTime time = GuardTime.start();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(
            limits, WaitingThreads.atMost(1), () -> ClientSource.of("192.0.2.1").orElseThrow());

    @AfterEach
    void stop() {
        time.close();
    }

    /** What a provider of a service does with a password and a code, which is always wrong here. */
    enum Way {
        CODE_AFTER_THE_PASSWORD {
            @Override
            void check(PasswordEncoder encoder, String password) {
                if (encoder.matches(password, STORED)) {
                    throw new BadCredentialsException("wrong code");
                }
                throw new BadCredentialsException("wrong password");
            }
        },
        CODE_BEFORE_THE_PASSWORD {
            @Override
            void check(PasswordEncoder encoder, String password) {
                throw new BadCredentialsException("wrong code");
            }
        },
        ACCOUNT_LOCKED_AFTER_THE_PASSWORD {
            @Override
            void check(PasswordEncoder encoder, String password) {
                encoder.matches(password, STORED);
                throw new LockedException("locked");
            }
        };

        abstract void check(PasswordEncoder encoder, String password);
    }

    record Row(Way way, String password, boolean isOneGuess) {}

    static Stream<Row> rows() {
        return Stream.of(
                new Row(Way.CODE_AFTER_THE_PASSWORD, RIGHT, false),
                new Row(Way.CODE_BEFORE_THE_PASSWORD, RIGHT, false),
                new Row(Way.CODE_AFTER_THE_PASSWORD, "wrong", true),
                new Row(Way.ACCOUNT_LOCKED_AFTER_THE_PASSWORD, RIGHT, true));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void servlet(Row row) {
        assertServletGuesses(row, limited(checking(row), Unseen.FIRST));
    }

    /** The provider belongs to the parent. With observations, Spring Security adds a further manager. */
    @ParameterizedTest
    @MethodSource("rows")
    void servletParent(Row row) {
        AuthenticationManager global = limited(checking(row), Unseen.FIRST);
        assertServletGuesses(row, limited(limited(global, Unseen.NONE), Unseen.NONE));
    }

    /** An unseen provider may check the code before accounts that do not know the name. */
    @Test
    void codesOfAnUnseenProvider_areGuessesEach() {
        PasswordEncoder encoder = TestLoginEncoders.around(new BCryptPasswordEncoder(4), null, null, logins);
        String noAccount = encoder.encode("userNotFoundPassword");
        AuthenticationManager accounts = limited(
                given -> {
                    encoder.matches(RIGHT, noAccount);
                    throw new BadCredentialsException("no account");
                },
                Unseen.FIRST);
        assertServletGuesses(new Row(Way.CODE_BEFORE_THE_PASSWORD, RIGHT, false), limited(accounts, Unseen.FIRST));
    }

    /** The first manager has rejected a code, and the next one rejects the account. */
    @Test
    void codesBeforeALockedAccount_areGuessesEach() {
        PasswordEncoder encoder = TestLoginEncoders.around(new BCryptPasswordEncoder(4), null, null, logins);
        AuthenticationManager accounts = limited(
                given -> {
                    throw new LockedException("locked");
                },
                Unseen.NONE);
        AuthenticationManager codes = given -> {
            assertThat(encoder.matches(RIGHT, STORED)).isTrue();
            return accounts.authenticate(given);
        };
        assertServletGuesses(new Row(Way.CODE_AFTER_THE_PASSWORD, RIGHT, false), limited(codes, Unseen.FIRST));
    }

    /** The manager of the service has caught the outage of a plugin before. */
    @Test
    void codesAfterAnOutage_areGuessesEach() {
        assertServletGuesses(
                new Row(Way.CODE_BEFORE_THE_PASSWORD, RIGHT, false),
                limited(
                        given -> {
                            ComparedPassword.Unseen before = ComparedPassword.askingPlugins(CurrentLogin.here());
                            assertThat(ComparedPassword.cutShort(CurrentLogin.here()))
                                    .isTrue();
                            ComparedPassword.decided(CurrentLogin.here(), before);
                            throw new BadCredentialsException("wrong code");
                        },
                        Unseen.FIRST));
    }

    private AuthenticationManager checking(Row row) {
        PasswordEncoder encoder = TestLoginEncoders.around(new BCryptPasswordEncoder(4), null, null, logins);
        return given -> {
            row.way().check(encoder, given.getCredentials().toString());
            return given;
        };
    }

    private AuthenticationManager limited(AuthenticationManager manager, Unseen unseen) {
        return new PasswordLogins(
                manager,
                logins,
                ManagersByClassTest.noSteps(),
                SecurityContextHolder::getContextHolderStrategy,
                given -> unseen);
    }

    private static void assertServletGuesses(Row row, AuthenticationManager manager) {
        assertGuesses(row, given -> {
            try {
                return manager.authenticate(given);
            } catch (AuthenticationException e) {
                return e;
            } catch (AuthUnavailableException e) {
                return null;
            }
        });
    }

    @ParameterizedTest
    @MethodSource("rows")
    void webFlux(Row row) {
        ReactiveServiceAccounts passwords = new ReactiveServiceAccounts(
                name -> Mono.just(
                        User.withUsername(name).password(STORED).roles("USER").build()),
                TestLoginEncoders.around(new BCryptPasswordEncoder(4)),
                new ReactiveHashing(null),
                null,
                null,
                null);
        ReactiveAuthenticationManager manager = new ReactiveLimitedPasswords(
                given -> switch (row.way()) {
                    case CODE_AFTER_THE_PASSWORD ->
                        passwords.authenticate(given).then(Mono.error(new BadCredentialsException("wrong code")));
                    case CODE_BEFORE_THE_PASSWORD -> Mono.error(new BadCredentialsException("wrong code"));
                    case ACCOUNT_LOCKED_AFTER_THE_PASSWORD ->
                        passwords.authenticate(given).then(Mono.error(new LockedException("locked")));
                },
                limits,
                Integer.MAX_VALUE,
                Unseen.NONE);
        CurrentLogin client =
                CurrentRequest.from(() -> ClientSource.of("192.0.2.1").orElseThrow(), CurrentLogin.NONE);
        assertGuesses(
                row,
                given -> manager.authenticate(given)
                        .<Object>map(answer -> answer)
                        .onErrorResume(AuthenticationException.class, Mono::just)
                        .onErrorResume(AuthUnavailableException.class, refused -> Mono.empty())
                        .contextWrite(context -> context.put(CurrentLogin.class, client))
                        .block(Duration.ofSeconds(20)));
    }

    private static void assertGuesses(Row row, Function<Authentication, Object> login) {
        Authentication given = UsernamePasswordAuthenticationToken.unauthenticated("ann", row.password());
        int decided = 0;
        for (int i = 0; i < 30; i++) {
            decided += login.apply(given) == null ? 0 : 1;
        }
        assertThat(decided).as("decided of 30").isEqualTo(row.isOneGuess() ? 30 : 5);
    }
}
