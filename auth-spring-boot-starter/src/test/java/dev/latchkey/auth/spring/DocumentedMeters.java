package dev.latchkey.auth.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the page says about meters. */
public final class DocumentedMeters {

    private DocumentedMeters() {}

    /** Each name with the keys of its tags. */
    public static Map<String, Set<String>> ofTheReference() throws IOException {
        Map<String, Set<String>> meters = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `(latchkey\\.[a-z.]+)` \\| [a-z ]+ \\|([^|]*)\\|")
                .matcher(Files.readString(Path.of("..", "docs", "reference", "meters.md")));
        while (row.find()) {
            Set<String> tags = new TreeSet<>();
            Matcher tag = Pattern.compile("`([a-z]+)`").matcher(row.group(2));
            while (tag.find()) {
                tags.add(tag.group(1));
            }
            meters.put(row.group(1), tags);
        }
        return meters;
    }
}
