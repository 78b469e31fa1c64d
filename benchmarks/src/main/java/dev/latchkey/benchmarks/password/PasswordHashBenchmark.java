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
import dev.latchkey.auth.password.MemoryPermits;
import dev.latchkey.auth.password.PasswordEncoders;
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
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;
import org.springframework.security.crypto.scrypt.SCryptPasswordEncoder;

/** One check of the right password, at the costs that OWASP recommends: the same work for each library; the median counts. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 2)
public class PasswordHashBenchmark {

    private static final String PASSWORD = "correct horse battery";
    private static final byte[] SALT = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

    @Param({
        "bcrypt-latchkey",
        "bcrypt-spring",
        "bcrypt-password4j",
        "bcrypt-favre",
        "argon2id-latchkey",
        "argon2id-spring",
        "argon2id-password4j",
        "scrypt-latchkey",
        "scrypt-spring",
        "scrypt-password4j",
        "pbkdf2-sha256-latchkey",
        "pbkdf2-sha256-jdk",
        "pbkdf2-sha256-spring",
        "pbkdf2-sha256-password4j",
        "pbkdf2-sha512-latchkey",
        "pbkdf2-sha512-jdk",
        "pbkdf2-sha512-spring"
    })
    public String subject;

    private BooleanSupplier check = () -> false;

    @Setup
    public void prepare() {
        check = switch (subject) {
            case "bcrypt-latchkey",
                    "argon2id-latchkey",
                    "scrypt-latchkey",
                    "pbkdf2-sha256-latchkey",
                    "pbkdf2-sha512-latchkey" -> spring(latchkey(subject.substring(0, subject.lastIndexOf('-'))));
            case "bcrypt-spring" -> spring(new BCryptPasswordEncoder(10));
            case "bcrypt-password4j" -> password4j(BcryptFunction.getInstance(Bcrypt.B, 10));
            case "bcrypt-favre" -> favre();
            case "argon2id-spring" -> spring(new Argon2PasswordEncoder(16, 32, 1, 19 * 1024, 2));
            case "argon2id-password4j" -> password4j(Argon2Function.getInstance(19 * 1024, 2, 1, 32, Argon2.ID));
            case "scrypt-spring" -> spring(new SCryptPasswordEncoder(1 << 17, 8, 1, 32, 16));
            case "scrypt-password4j" -> password4j(ScryptFunction.getInstance(1 << 17, 8, 1, 32));
            case "pbkdf2-sha256-jdk" -> jdk("PBKDF2WithHmacSHA256", 600_000);
            case "pbkdf2-sha256-spring" ->
                spring(new Pbkdf2PasswordEncoder("", 16, 600_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA256));
            case "pbkdf2-sha256-password4j" ->
                password4j(CompressedPBKDF2Function.getInstance(Hmac.SHA256, 600_000, 256));
            case "pbkdf2-sha512-jdk" -> jdk("PBKDF2WithHmacSHA512", 220_000);
            case "pbkdf2-sha512-spring" ->
                spring(new Pbkdf2PasswordEncoder("", 16, 220_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA512));
            default -> throw new IllegalArgumentException(subject);
        };
        if (!check.getAsBoolean()) {
            throw new IllegalStateException(subject + " does not know its own hash");
        }
    }

    @Benchmark
    public boolean rightPassword() {
        return check.getAsBoolean();
    }

    private static PasswordEncoder latchkey(String algorithm) {
        return PasswordEncoders.recommended()
                .withMemoryPermits(MemoryPermits.ofBytes(256L << 20))
                .withDefault(HashSpec.of(algorithm));
    }

    private static BooleanSupplier spring(PasswordEncoder encoder) {
        String stored = encoder.encode(PASSWORD);
        return () -> encoder.matches(PASSWORD, stored);
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
