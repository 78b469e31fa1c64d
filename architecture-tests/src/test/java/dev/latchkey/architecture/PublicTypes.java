package dev.latchkey.architecture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The content of {@code public-types.txt}: one name a line, without comments and blank lines. */
final class PublicTypes {

    private PublicTypes() {}

    static Set<String> listed() {
        try (InputStream list = Objects.requireNonNull(PublicTypes.class.getResourceAsStream("public-types.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(TreeSet::new, Set::add, Set::addAll);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
