package dev.latchkey.examples.quickstart;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the page, as a browser finds them: the page, its links, and their links. */
final class PageFiles {

    private static final Path FOLDER = Path.of("src/main/resources/static");
    private static final Pattern NAMED = Pattern.compile(
            "(?:src|href)=\"(?!#)([^\"]+)\"|\\bfrom '([^']+)'|\\bimport\\(?\\s*'([^']+)'|url\\(([^)]+)\\)");

    private PageFiles() {}

    /** The texts of all files reached from the page, by path. */
    static Map<String, String> reached(Client client) throws IOException, InterruptedException {
        Map<String, String> files = new LinkedHashMap<>();
        Deque<String> open = new ArrayDeque<>(Set.of("/"));
        while (!open.isEmpty()) {
            String path = open.pop();
            if (files.containsKey(path)) {
                continue;
            }
            String text = client.send(client.request(path)).body();
            files.put(path, text);
            Matcher named = NAMED.matcher(text);
            while (named.find()) {
                open.push(URI.create(path).resolve(nameIn(named)).toString());
            }
        }
        return files;
    }

    /** The paths of the stored files. */
    static Set<String> stored() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            Set<String> paths = new TreeSet<>();
            files.filter(Files::isRegularFile)
                    .map(file -> "/" + FOLDER.relativize(file).toString().replace('\\', '/'))
                    .forEach(path -> paths.add(path.equals("/index.html") ? "/" : path));
            return paths;
        }
    }

    private static String nameIn(Matcher named) {
        for (int group = 1; group <= named.groupCount(); group++) {
            if (named.group(group) != null) {
                return named.group(group);
            }
        }
        throw new IllegalStateException("Each alternative has a group");
    }
}
