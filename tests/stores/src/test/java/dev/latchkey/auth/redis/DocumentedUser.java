package dev.latchkey.auth.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Redis user that the module's README describes. */
final class DocumentedUser {

    static final String NAME = "shop";
    static final String PASSWORD = "a-long-password";

    /** The same rights on all keys and channels, for tests with other services. */
    static final String OF_ALL_KEYS = "shops";

    /** The same for a Cluster, with the driver's further rights. */
    static final String OF_A_CLUSTER = "cluster";

    private static final String CLUSTER = "- **In a Cluster** the driver also needs `";
    private static final String COMMAND = "ACL SETUSER " + NAME + " ";

    private DocumentedUser() {}

    /** What follows the name of the user. */
    static List<String> rights() {
        return words(COMMAND);
    }

    /** The words after this beginning, up to the closing quotation mark. */
    private static List<String> words(String begin) {
        try {
            String line = Files.readAllLines(Path.of("../../auth-redis/README.md")).stream()
                    .filter(each -> each.startsWith(begin))
                    .findFirst()
                    .orElseThrow();
            return List.of(line.substring(begin.length()).split("`", -1)[0].split(" ", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Arguments of a server with these users. */
    static List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--user", NAME));
        arguments.addAll(rights());
        arguments.addAll(List.of("--user", OF_ALL_KEYS));
        arguments.addAll(rights());
        arguments.addAll(List.of("~*", "&*"));
        arguments.addAll(List.of("--user", OF_A_CLUSTER));
        arguments.addAll(rights());
        arguments.addAll(words(CLUSTER));
        arguments.addAll(List.of("~*", "&*"));
        return arguments;
    }
}
