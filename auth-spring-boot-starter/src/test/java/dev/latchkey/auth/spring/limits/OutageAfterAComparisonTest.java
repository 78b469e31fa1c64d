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
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/**
 * A provider compares the password, and then the next provider is down or full, or a store is down that is asked again. A wrong
 * password stays a guess: otherwise such an outage would make all guesses free.
 */
class OutageAfterAComparisonTest {

    private static final String STORED = new BCryptPasswordEncoder(4).encode("right");
    private static final List<RuntimeException> OUTAGES = List.of(
            new AuthenticationServiceException("down"),
            AuthUnavailableException.outage("down"),
            AuthUnavailableException.overload("full", Duration.ofSeconds(1)));

    private final GuardTime time = GuardTime.start();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(
            limits, WaitingThreads.atMost(1), () -> ClientSource.of("192.0.2.1").orElseThrow());
    private int decided;

    @AfterEach
    void stop() {
        time.close();
    }

    record Row(String account, String password, RuntimeException outage, int decided) {}

    static Stream<Row> rows() {
        return OUTAGES.stream()
                .flatMap(outage -> Stream.of(
                        new Row("ann", "wrong", outage, 5),
                        new Row("ann", "right", outage, 30),
                        new Row("unknown", "wrong", outage, 30)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void servlet(Row row) {
        PasswordEncoder encoder = TestLoginEncoders.around(new BCryptPasswordEncoder(4), null, null, logins);
        String noAccount = encoder.encode("userNotFoundPassword");
        assertDecided(row, limited(given -> {
            decided++;
            encoder.matches(given.getCredentials().toString(), given.getName().equals("ann") ? STORED : noAccount);
            throw row.outage();
        })::authenticate);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void webFlux(Row row) {
        ReactiveServiceAccounts accounts = accounts();
        assertDecided(row, blocking(given -> {
            decided++;
            return accounts.authenticate(given).onErrorComplete().then(Mono.error(row.outage()));
        }));
    }

    static Stream<Row> rightPasswords() {
        return OUTAGES.stream().map(outage -> new Row("ann", "right", outage, 5));
    }

    /** The first provider has rejected a code. Each code is a new guess. */
    @ParameterizedTest
    @MethodSource("rightPasswords")
    void wrongCodeBeforeAnOutageOfTheParent(Row row) {
        PasswordEncoder encoder = TestLoginEncoders.around(new BCryptPasswordEncoder(4), null, null, logins);
        AuthenticationManager parent = limited(given -> {
            throw row.outage();
        });
        assertDecided(row, limited(given -> {
            decided++;
            assertThat(encoder.matches("right", STORED)).isTrue();
            return parent.authenticate(given);
        })::authenticate);
    }

    @ParameterizedTest
    @MethodSource("rightPasswords")
    void wrongCodeBeforeAnOutageOfTheNextManager_onWebFlux(Row row) {
        ReactiveServiceAccounts accounts = accounts();
        ReactiveAuthenticationManager next =
                new ReactiveLimitedPasswords(given -> Mono.error(row.outage()), limits, Integer.MAX_VALUE, Unseen.NONE);
        assertDecided(row, blocking(given -> {
            decided++;
            return accounts.authenticate(given).then(next.authenticate(given));
        }));
    }

    private AuthenticationManager limited(AuthenticationManager manager) {
        return new PasswordLogins(
                manager,
                logins,
                ManagersByClassTest.noSteps(),
                SecurityContextHolder::getContextHolderStrategy,
                given -> Unseen.NONE);
    }

    private static ReactiveServiceAccounts accounts() {
        return new ReactiveServiceAccounts(
                name -> Mono.just(name)
                        .filter("ann"::equals)
                        .map(ann -> User.withUsername(ann)
                                .password(STORED)
                                .roles("USER")
                                .build()),
                TestLoginEncoders.around(new BCryptPasswordEncoder(4)),
                new ReactiveHashing(null),
                null,
                null,
                null);
    }

    private Consumer<Authentication> blocking(ReactiveAuthenticationManager manager) {
        ReactiveAuthenticationManager limited =
                new ReactiveLimitedPasswords(manager, limits, Integer.MAX_VALUE, Unseen.NONE);
        CurrentLogin client =
                CurrentRequest.from(() -> ClientSource.of("192.0.2.1").orElseThrow(), CurrentLogin.NONE);
        return given -> {
            var unused = limited.authenticate(given)
                    .contextWrite(context -> context.put(CurrentLogin.class, client))
                    .block(Duration.ofSeconds(20));
        };
    }

    private void assertDecided(Row row, Consumer<Authentication> login) {
        for (int i = 0; i < 30; i++) {
            String password = row.password().equals("right") ? "right" : row.password() + i;
            try {
                login.accept(UsernamePasswordAuthenticationToken.unauthenticated(row.account(), password));
            } catch (AuthenticationServiceException | AuthUnavailableException expected) {
                continue;
            }
            throw new AssertionError("A login succeeded during an outage");
        }
        assertThat(decided).as("decided of 30").isEqualTo(row.decided());
    }
}
