package dev.latchkey.nacos.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Stored hashes for accounts that are measured, one in a line of a file. Each account has its own: Latchkey's cache knows hashes and not names,
 * so with one hash for all, only the first of them would log in for the first time. They are made once, which takes a processor a minute for
 * a thousand, and kept until the next {@code clean}.
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
