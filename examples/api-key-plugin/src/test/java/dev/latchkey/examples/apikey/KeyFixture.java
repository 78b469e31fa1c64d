package dev.latchkey.examples.apikey;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;

/** Keys, lines of keys, and a file with a new modification time after each write. */
final class KeyFixture {

    static final String ADA_KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static final String ADA_NEW_KEY = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";
    static final String UNKNOWN_KEY = "00000000000000000000000000000000ffffffffffffffffffffffffffffffff";
    static final String GRACE_KEY = "89abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567";
    static final String ADA_LINE = line("ada", ADA_KEY, "ROLE_USER,SCOPE_read");
    static final String GRACE_LINE = line("grace", GRACE_KEY, "ROLE_USER");

    private final Path file;
    private Instant written = Instant.parse("2026-11-21T12:00:00Z");

    private KeyFixture(Path file) {
        this.file = file;
    }

    static KeyFixture in(Path directory) {
        return new KeyFixture(directory.resolve("api-keys.txt"));
    }

    static String line(String subject, String key, String authorities) {
        return (subject + "  " + digest(key) + "  " + authorities).strip();
    }

    static String digest(String key) {
        return HexFormat.of().formatHex(ApiKeys.sha256(key.getBytes(StandardCharsets.UTF_8)));
    }

    KeyFixture write(String... lines) throws IOException {
        return write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    KeyFixture write(byte[] content) throws IOException {
        Files.write(file, content);
        written = written.plusSeconds(1);
        Files.setLastModifiedTime(file, FileTime.from(written));
        return this;
    }

    Path file() {
        return file;
    }

    ApiKeyPlugin plugin() {
        return new ApiKeyPlugin(ApiKeyPluginFactory.TYPE, ApiKeyFile.open(file), ApiKeyPluginFactory.DEFAULT_HEADER);
    }
}
