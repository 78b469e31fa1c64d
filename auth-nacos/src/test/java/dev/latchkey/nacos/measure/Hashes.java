package dev.latchkey.nacos.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Stored hashes for measured accounts, one on each line of a file. Each account has a hash of its own: Latchkey's cache knows
 * hashes and no names, so with one hash only the first login would be a first login. A thousand hashes take a processor a
 * minute, and stay until the next {@code clean}.
 */
final class Hashes {

    private Hashes() {}

    static Path of(String password, int count) throws IOException {
        Path file = Path.of(System.getProperty("nacos.work")).resolveSibling("hashes-" + count + ".txt");
        if (!Files.exists(file)) {
            BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
            List<String> hashes = Stream.generate(() -> encoder.encode(password))
                    .parallel()
                    .limit(count)
                    .toList();
            Files.write(file, hashes, StandardCharsets.US_ASCII);
        }
        return file;
    }
}
