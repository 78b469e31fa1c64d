package dev.latchkey.benchmarks.password;

import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** What an attacker can tell from the time of a refusal: the medians of all cases must be the same, within a twentieth. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 15)
@Measurement(iterations = 80)
public class AnswerTimeBenchmark {

    private static final String PASSWORD = "correct horse battery";

    @Param({"argon2id", "bcrypt", "pbkdf2-sha256", "pbkdf2-sha512", "scrypt"})
    public String algorithm;

    /**
     * The encoders by themselves, Spring Security's provider around them with its accounts and their states, and wrong passwords
     * for rows that have not been replaced yet.
     */
    @Param({"encoders", "provider", "old-rows"})
    public String path;

    private Turns turns = new Turns("", 0);
    private boolean measuring;

    @Setup
    public void prepare(BenchmarkParams run) {
        PasswordEncoders encoders = PasswordEncoders.recommended()
                .reading(ForeignFormats.all())
                .withMemoryPermits(MemoryPermits.ofBytes(256L << 20))
                .withDefault(HashSpec.of(algorithm));
        turns = new Turns(
                "answer time, " + algorithm + ", " + path,
                Math.max(run.getWarmup().getCount(), run.getMeasurement().getCount()));
        if (path.equals("old-rows")) {
            addOldRows(encoders);
        } else {
            addRefusals(encoders);
        }
    }

    private void addOldRows(PasswordEncoders encoders) {
        Map<String, String> rows = Map.of(
                "LDAP {SSHA}", "{SSHA}" + "A".repeat(32),
                "apr1", "$apr1$saltsalt$" + "A".repeat(22),
                "sha512-crypt, 5000 rounds", "$6$saltsalt$" + "A".repeat(86),
                "half the costs", rowOfHalfTheCosts());
        turns.add("unknown user", () -> encoders.matchesNobody(PASSWORD));
        rows.forEach((name, row) -> turns.add(name, () -> encoders.matches(PASSWORD, row)));
    }

    private String rowOfHalfTheCosts() {
        String salt = "A".repeat(22);
        String hash = "A".repeat(43);
        return switch (algorithm) {
            case "argon2id" -> "$argon2id$v=19$m=9728,t=2,p=1$" + salt + "$" + hash;
            case "bcrypt" -> "$2b$09$" + "A".repeat(53);
            case "scrypt" -> "$scrypt$ln=16,r=8,p=1$" + salt + "$" + hash;
            case "pbkdf2-sha256" -> "$pbkdf2-sha256$i=300000$" + salt + "$" + hash;
            default -> "$pbkdf2-sha512$i=110000$" + salt + "$" + hash;
        };
    }

    private void addRefusals(PasswordEncoders encoders) {
        String stored = encoders.encode(PASSWORD);
        Map<String, UserDetails> accounts = Map.of(
                "ann", account("ann", stored),
                "bob",
                        User.withUserDetails(account("bob", stored))
                                .accountLocked(true)
                                .build(),
                "eve", account("eve", stored.substring(0, stored.length() - 9) + "!"));
        BiPredicate<String, String> login =
                path.equals("provider") ? throughProvider(encoders, accounts) : throughEncoders(encoders, accounts);
        String overLong = "x".repeat(1_000_000);
        turns.add("wrong password", () -> login.test("ann", "wrong horse battery!"));
        turns.add("unknown user", () -> login.test("nobody", PASSWORD));
        turns.add("locked account", () -> login.test("bob", PASSWORD));
        turns.add("over-long password", () -> login.test("ann", overLong));
        turns.add("malformed stored hash", () -> login.test("eve", PASSWORD));
    }

    private static UserDetails account(String name, String stored) {
        return User.withUsername(name).password(stored).roles("USER").build();
    }

    /** As it is to be done: the password is checked although the answer is known. */
    private static BiPredicate<String, String> throughEncoders(
            PasswordEncoders encoders, Map<String, UserDetails> accounts) {
        return (name, password) -> {
            UserDetails account = accounts.get(name);
            return account == null
                    ? encoders.matchesNobody(password)
                    : encoders.matches(password, account.getPassword()) && account.isAccountNonLocked();
        };
    }

    private static BiPredicate<String, String> throughProvider(
            PasswordEncoders encoders, Map<String, UserDetails> accounts) {
        UserDetailsService users = name -> {
            UserDetails account = accounts.get(name);
            if (account == null) {
                throw new UsernameNotFoundException("No such account");
            }
            return User.withUserDetails(account).build();
        };
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
        provider.setPasswordEncoder(encoders);
        return (name, password) -> {
            try {
                return provider.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(name, password))
                        .isAuthenticated();
            } catch (AuthenticationException e) {
                return false;
            }
        };
    }

    @Setup(Level.Iteration)
    public void leaveWarmUpBehind(IterationParams iteration) {
        if (iteration.getType() == IterationType.MEASUREMENT && !measuring) {
            measuring = true;
            turns.restart();
        }
    }

    @Benchmark
    public int everyCaseOnce() {
        int accepted = turns.everyoneOnce();
        if (accepted != 0) {
            throw new IllegalStateException("One of the refusals is none");
        }
        return accepted;
    }

    @TearDown
    public void report() {
        turns.report();
    }
}
