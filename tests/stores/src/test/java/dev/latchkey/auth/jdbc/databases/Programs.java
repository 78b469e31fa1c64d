package dev.latchkey.auth.jdbc.databases;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Servers that are installed on this machine. */
public final class Programs {

    /** Packages put servers there, and not every user has these folders on the path. */
    private static final List<String> OTHER_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin");

    private Programs() {}

    /** The first program of this name, on the path or in a usual folder. */
    public static Optional<Path> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator, -1)), OTHER_FOLDERS.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
