package dev.latchkey.docs;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The target of a link within the repository.
 *
 * @param path from the root of the repository
 * @param anchor with {@code #}, or empty
 */
record Target(Path path, String anchor) {

    private static final Pattern COPIED = Pattern.compile("\\.(svg|png|html|json)$");

    static boolean isElsewhere(String link) {
        return URI.create(link).isAbsolute();
    }

    /**
     * @throws IllegalArgumentException if there is no such file, or the target is a folder
     */
    static Target of(String link, Page from, Path repository) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path path =
                file.isEmpty() ? from.path() : from.path().resolveSibling(file).normalize();
        if (!Files.isRegularFile(repository.resolve(path))) {
            throw new IllegalArgumentException("The link '" + link + "' of " + from
                    + " leads to no file; what leads to a folder has to name a file in it");
        }
        return new Target(path, hash < 0 ? "" : link.substring(hash));
    }

    /** Whether the site shows the file as code. Pictures, data and whole pages are copied. */
    boolean isSource() {
        return !isAPage()
                && (path.toString().contains("/src/")
                        || !COPIED.matcher(path.toString()).find());
    }

    boolean isAPage() {
        return path.toString().endsWith(".md");
    }
}
