package dev.latchkey.benchmarks.ratios;

import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.PasswordEncoders;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.springframework.security.crypto.password.PasswordEncoder;

/** One check with PBKDF2, beside the same number of rounds by the JDK's own. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class Pbkdf2Benchmark {

    private static final String PASSWORD = "correct horse battery";
    private static final byte[] SALT = new byte[16];

    @Param({"pbkdf2-sha256", "pbkdf2-sha512"})
    public String algorithm;

    private PasswordEncoder encoder = PasswordEncoders.recommended();
    private String stored = "";

    @Setup
    public void prepare() {
        encoder = PasswordEncoders.recommended().withDefault(HashSpec.of(algorithm));
        stored = encoder.encode(PASSWORD);
    }

    @Benchmark
    public boolean latchkey() {
        return encoder.matches(PASSWORD, stored);
    }

    @Benchmark
    public byte[] jdk() throws GeneralSecurityException {
        boolean sha256 = algorithm.equals("pbkdf2-sha256");
        SecretKeyFactory factory =
                SecretKeyFactory.getInstance(sha256 ? "PBKDF2WithHmacSHA256" : "PBKDF2WithHmacSHA512");
        int rounds = sha256 ? 600_000 : 220_000;
        return factory.generateSecret(new PBEKeySpec(PASSWORD.toCharArray(), SALT, rounds, sha256 ? 256 : 512))
                .getEncoded();
    }
}
