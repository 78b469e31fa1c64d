package dev.latchkey.benchmarks.password;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.password4j.Argon2Function;
import com.password4j.BcryptFunction;
import com.password4j.CompressedPBKDF2Function;
import com.password4j.HashingFunction;
import com.password4j.ScryptFunction;
import com.password4j.types.Argon2;
import com.password4j.types.Bcrypt;
import com.password4j.types.Hmac;
import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.hash.MemoryPermits;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
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
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;
import org.springframework.security.crypto.scrypt.SCryptPasswordEncoder;

/**
 * One check of the right password, at the costs that OWASP recommends: the same work for each library, by turns; the medians count.
 *
 * <p>{@code bouncy-castle} is its bcrypt without anything around it, beside Spring's: the faster of the two is used.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 15)
@Measurement(iterations = 60)
public class PasswordHashBenchmark {

    private static final String PASSWORD = "correct horse battery";
    private static final byte[] SALT = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

    @Param({"bcrypt", "argon2id", "scrypt", "pbkdf2-sha256", "pbkdf2-sha512"})
    public String algorithm;

    private Turns turns = new Turns("", 0);
    private boolean measuring;

    @Setup
    public void prepare(BenchmarkParams run) {
        turns = new Turns(
                "password check, " + HashSpec.of(algorithm),
                Math.max(run.getWarmup().getCount(), run.getMeasurement().getCount()));
        add("latchkey", spring(latchkey()));
        switch (algorithm) {
            case "bcrypt" -> {
                add("spring", spring(new BCryptPasswordEncoder(10)));
                add("bouncy-castle", bouncyCastle());
                add("password4j", password4j(BcryptFunction.getInstance(Bcrypt.B, 10)));
                add("favre", favre());
            }
            case "argon2id" -> {
                add("spring", spring(new Argon2PasswordEncoder(16, 32, 1, 19 * 1024, 2)));
                add("password4j", password4j(Argon2Function.getInstance(19 * 1024, 2, 1, 32, Argon2.ID)));
            }
            case "scrypt" -> {
                add("spring", spring(new SCryptPasswordEncoder(1 << 17, 8, 1, 32, 16)));
                add("password4j", password4j(ScryptFunction.getInstance(1 << 17, 8, 1, 32)));
            }
            case "pbkdf2-sha256" -> {
                add("spring", springPbkdf2(600_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA256));
                add("password4j", password4j(CompressedPBKDF2Function.getInstance(Hmac.SHA256, 600_000, 256)));
                add("jdk", jdk("PBKDF2WithHmacSHA256", 600_000));
            }
            default -> {
                add("spring", springPbkdf2(220_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA512));
                add("password4j", password4j(CompressedPBKDF2Function.getInstance(Hmac.SHA512, 220_000, 256)));
                add("jdk", jdk("PBKDF2WithHmacSHA512", 220_000));
            }
        }
    }

    private void add(String library, BooleanSupplier check) {
        if (!check.getAsBoolean()) {
            throw new IllegalStateException(library + " does not know its own hash");
        }
        turns.add(library, check);
    }

    @Setup(Level.Iteration)
    public void leaveWarmUpBehind(IterationParams iteration) {
        if (iteration.getType() == IterationType.MEASUREMENT && !measuring) {
            measuring = true;
            turns.restart();
        }
    }

    @Benchmark
    public int everyLibraryOnce() {
        return turns.everyoneOnce();
    }

    @TearDown
    public void report() {
        turns.report();
    }

    private PasswordEncoder latchkey() {
        return PasswordEncoders.recommended()
                .withMemoryPermits(MemoryPermits.ofBytes(256L << 20))
                .withDefault(HashSpec.of(algorithm));
    }

    private static BooleanSupplier spring(PasswordEncoder encoder) {
        String stored = encoder.encode(PASSWORD);
        return () -> encoder.matches(PASSWORD, stored);
    }

    private static BooleanSupplier springPbkdf2(int iterations, SecretKeyFactoryAlgorithm algorithm) {
        return spring(new Pbkdf2PasswordEncoder("", 16, iterations, algorithm));
    }

    @SuppressWarnings("deprecation") // as its users call it
    private static BooleanSupplier bouncyCastle() {
        byte[] password = PASSWORD.getBytes(StandardCharsets.UTF_8);
        byte[] stored = org.bouncycastle.crypto.generators.BCrypt.generate(password, SALT, 10);
        return () -> Arrays.equals(stored, org.bouncycastle.crypto.generators.BCrypt.generate(password, SALT, 10));
    }

    private static BooleanSupplier password4j(HashingFunction function) {
        String stored = function.hash(PASSWORD).getResult();
        return () -> function.check(PASSWORD, stored);
    }

    private static BooleanSupplier favre() {
        char[] stored = BCrypt.withDefaults().hashToChar(10, PASSWORD.toCharArray());
        return () -> BCrypt.verifyer().verify(PASSWORD.toCharArray(), stored).verified;
    }

    private static BooleanSupplier jdk(String algorithm, int iterations) {
        byte[] stored = jdkHash(algorithm, iterations);
        return () -> Arrays.equals(stored, jdkHash(algorithm, iterations));
    }

    private static byte[] jdkHash(String algorithm, int iterations) {
        try {
            PBEKeySpec spec = new PBEKeySpec(PASSWORD.toCharArray(), SALT, iterations, 256);
            return SecretKeyFactory.getInstance(algorithm).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
