package dev.latchkey.auth.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * The program of the servers that the tests start: the one that embedded-redis brings, or what the property {@value #PROPERTY} says, which is a program or a
 * folder with one for each kind of machine.
 */
final class RedisProgram {

    static final String PROPERTY = "latchkey.redis-server";

    /** A Valkey, on the path unless a property says where. */
    static final String VALKEY = System.getProperty("latchkey.valkey-server", "valkey-server");

    private static final String PATH = find();

    private RedisProgram() {}

    static String path() {
        return PATH;
    }

    private static String find() {
        String given = System.getProperty(PROPERTY, "");
        try {
            Path path = Path.of(given);
            return (given.isEmpty() ? unpacked() : Files.isDirectory(path) ? forThisMachine(path) : path).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In a folder that ends with this process. */
    private static Path unpacked() throws IOException {
        File folder = Files.createTempDirectory("latchkey-redis").toFile();
        // The last that is registered goes first.
        folder.deleteOnExit();
        File file = ExecutableProvider.newJarResourceProvider(folder).get();
        file.deleteOnExit();
        return file.toPath().toAbsolutePath();
    }

    private static Path forThisMachine(Path folder) throws IOException {
        String system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
        String processor = List.of("aarch64", "arm64").contains(System.getProperty("os.arch")) ? "arm64" : "amd64";
        String ending = "-" + system + "-" + processor;
        try (Stream<Path> all = Files.list(folder)) {
            Path found = all.filter(each -> each.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow(() -> new IOException(folder + " has no program whose name ends with " + ending));
            if (!Files.isExecutable(found) && !found.toFile().setExecutable(true)) {
                throw new IOException(found + " cannot be made executable");
            }
            return found.toAbsolutePath();
        }
    }
}
