package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Spring Security's hash for unknown names belongs to no account, for any first caller and any number of calls. */
class StandInHashTest {

    /** Spring Security makes the hash from this text. An account may have the same password. */
    private static final String CONSTANT = "userNotFoundPassword";

    private static final ClientSource HERE = ClientSource.of("192.0.2.1").orElseThrow();

    private final GuardTime time = GuardTime.start();
    private final LoginLimitGate logins = new LoginLimitGate(
            LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE),
            WaitingThreads.atMost(10),
            () -> HERE);
    private final SaltedEncoder encoder = new SaltedEncoder();
    private final LoginEncoder login = LoginEncoder.around(encoder, null, null, logins, null);

    @AfterEach
    void end() {
        time.close();
    }

    @Test
    void unknownNamesThatComeFirstAndAtOnce_areNoAccountThatIsExhausted() {
        DaoAuthenticationProvider provider = provider(new ProviderEncoder(login, hash -> false), name -> unknown());
        encoder.atOnce = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Stream.of("first", "second")
                    .map(name -> CompletableFuture.supplyAsync(() -> refusal(provider, name), threads))
                    .toList()
                    .forEach(each -> assertThat(each.join()).isInstanceOf(BadCredentialsException.class));
        } finally {
            threads.shutdown();
        }
        assertNoAccount(provider);
    }

    /** A provider that only a service knows asks the encoder bean. */
    @Test
    void providerThatIsNotFound_hasNoAccountForUnknownNamesEither() {
        assertNoAccount(provider(login, name -> unknown()));
    }

    @Test
    void accountWithTheConstantAsItsPassword_logsInAgainAfterItsHashWasReplacedWithinTheLogin() {
        Accounts accounts = new Accounts(encoder.encode(CONSTANT));
        DaoAuthenticationProvider provider = provider(new ProviderEncoder(login, hash -> false), accounts);
        provider.setUserDetailsPasswordService(accounts);
        encoder.outdated = true;
        String before = accounts.hash;
        for (int i = 0; i < 3; i++) {
            assertThat(provider.authenticate(sent("ann", new String(CONSTANT.toCharArray())))
                            .isAuthenticated())
                    .isTrue();
        }
        assertThat(accounts.hash).isNotEqualTo(before);
        assertThat(login.matches(CONSTANT, accounts.hash)).isTrue();
    }

    private void assertNoAccount(DaoAuthenticationProvider provider) {
        List<Throwable> refusals = Stream.iterate(0, i -> i + 1)
                .limit(9)
                .map(i -> refusal(provider, "nobody" + i))
                .toList();
        assertThat(refusals).allSatisfy(each -> assertThat(each).isInstanceOf(BadCredentialsException.class));
    }

    /** Within the limits, as a manager that Latchkey has decorated asks its provider. */
    private Throwable refusal(DaoAuthenticationProvider provider, String name) {
        String password = "wrong of " + name;
        Reservation begun = Objects.requireNonNull(logins.begin(name, password));
        Throwable refusal = catchThrowable(() -> provider.authenticate(sent(name, password)));
        logins.end(
                begun,
                refusal instanceof AuthUnavailableException ? AttemptResult.NOT_ATTEMPTED : AttemptResult.FAILED,
                password);
        return refusal;
    }

    private static DaoAuthenticationProvider provider(PasswordEncoder encoder, UserDetailsService accounts) {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(accounts);
        provider.setPasswordEncoder(encoder);
        return provider;
    }

    private static UsernamePasswordAuthenticationToken sent(String name, String password) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    }

    private static UserDetails unknown() {
        throw new UsernameNotFoundException("There is no such account");
    }

    /** One account with a replaceable hash. */
    private static final class Accounts implements UserDetailsService, UserDetailsPasswordService {

        private String hash;

        Accounts(String hash) {
            this.hash = hash;
        }

        @Override
        public UserDetails loadUserByUsername(String name) {
            return User.withUsername(name).password(hash).roles("USER").build();
        }

        @Override
        public UserDetails updatePassword(UserDetails user, String replacement) {
            hash = replacement;
            return loadUserByUsername(user.getUsername());
        }
    }

    /** Makes another hash each time, and two of them at once where a test says so. */
    private static final class SaltedEncoder implements PasswordEncoder {

        private final AtomicInteger salt = new AtomicInteger();
        private volatile CyclicBarrier atOnce = new CyclicBarrier(1);
        private volatile boolean outdated;

        @Override
        public String encode(CharSequence raw) {
            if (CONSTANT.contentEquals(raw)) {
                awaitTheOthers();
            }
            return salt.incrementAndGet() + "$" + raw;
        }

        private void awaitTheOthers() {
            try {
                atOnce.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError("Nothing asked for a second hash", e);
            }
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return stored.endsWith("$" + raw);
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return outdated;
        }
    }
}
