package dev.latchkey.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;

/**
 * Some hundred stored hashes, made once and kept beside the classes; see {@link Accounts#POOL}. The names are the services' names
 * for these hashes.
 */
@SuppressWarnings("ImmutableEnumChecker") // the encoders hold no state
public enum HashPool {
    /** BCrypt with cost 10, Spring Security's. */
    BCRYPT("hashes-bcrypt10.txt", new BCryptPasswordEncoder(10)::encode),
    /** The target hash of the scenario with a million accounts: PBKDF2-HMAC-SHA1 with 1,000 rounds. */
    WEAK_PBKDF2(
            "hashes-pbkdf2-1000.txt",
            new Pbkdf2PasswordEncoder("", 16, 1_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA1)::encode),
    /** The password itself. */
    NONE("hashes-none.txt", password -> password);

    private final String fileName;
    private final UnaryOperator<String> hash;

    HashPool(String fileName, UnaryOperator<String> hash) {
        this.fileName = fileName;
        this.hash = hash;
    }

    /** The file, written if missing. */
    public synchronized Path file() {
        Path file = Path.of(System.getProperty("benchmarks.home"), "target", fileName);
        try {
            if (!Files.exists(file)) {
                Files.write(file, make());
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("The hashes cannot be written", e);
        }
    }

    public List<String> lines() {
        try {
            return Files.readAllLines(file());
        } catch (IOException e) {
            throw new UncheckedIOException("The hashes cannot be read", e);
        }
    }

    private List<String> make() {
        return IntStream.range(0, Accounts.POOL)
                .parallel()
                .mapToObj(line -> hash.apply(Accounts.password(line)))
                .toList();
    }
}
