package dev.latchkey.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes the repository's pages as a site. The site has the repository's layout, so links between pages stay. Linked files are
 * copied.
 */
final class Site {

    private static final String HIGHLIGHTER = "/META-INF/resources/webjars/highlightjs/11.11.1/highlight.min.js";
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final Path FIRST = Path.of("README.md");

    private final Path repository;
    private final Path folder;

    private Site(Path repository, Path folder) {
        this.repository = repository;
        this.folder = folder;
    }

    /**
     * Writes all pages that are reachable from the first page and the menu.
     *
     * @throws IllegalArgumentException if a link leads to no file
     */
    static List<Page> write(Path repository, Path folder) throws IOException {
        return new Site(repository, folder).write();
    }

    private List<Page> write() throws IOException {
        Menu menu = Menu.of(Page.read(repository, Menu.PAGE), repository);
        Layout layout = new Layout(resource("page.html"), menu, repository);
        List<Page> pages = new ArrayList<>();
        for (Path path : allThatIsLinked(menu)) {
            Path to = folder.resolve(path);
            Files.createDirectories(to.toAbsolutePath().getParent());
            if (path.toString().endsWith(".md")) {
                Page page = Page.read(repository, path);
                pages.add(page);
                Files.writeString(folder.resolve(page.htmlPath()), layout.of(page));
            } else if (new Target(path, "").isSource()) {
                Page page = new Page(path, Markdown.parse(""));
                Files.writeString(
                        folder.resolve(path + ".html"),
                        layout.ofSource(page, Files.readString(repository.resolve(path))));
            } else {
                Files.copy(repository.resolve(path), to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.writeString(folder.resolve("search-index.js"), SearchIndex.of(pages));
        for (String file : List.of("site.css", "site.js", "theme.js", "index.html")) {
            Files.writeString(folder.resolve(file), resource(file));
        }
        Files.writeString(folder.resolve("highlight.js"), resource(HIGHLIGHTER));
        return pages;
    }

    private Set<Path> allThatIsLinked(Menu menu) throws IOException {
        Set<Path> linked = new LinkedHashSet<>();
        Deque<Path> next = new ArrayDeque<>(menu.pages());
        next.addFirst(Menu.PAGE);
        next.addFirst(FIRST);
        while (!next.isEmpty()) {
            Path path = next.pop();
            if (linked.add(path)) {
                next.addAll(linksOf(path));
            }
        }
        return linked;
    }

    /** The files linked from a page. A copied HTML page needs its linked files too. */
    private List<Path> linksOf(Path path) throws IOException {
        Page page = new Page(path, Markdown.parse(""));
        List<String> links = List.of();
        if (path.toString().endsWith(".md")) {
            page = Page.read(repository, path);
            links = page.links();
        } else if (path.toString().endsWith(".html") && !new Target(path, "").isSource()) {
            links = LINK.matcher(Files.readString(repository.resolve(path)))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
        List<Path> targets = new ArrayList<>();
        for (String link : links) {
            if (!Target.isElsewhere(link)) {
                targets.add(Target.of(link, page, repository).path());
            }
        }
        return targets;
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Site.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("There is no " + name + " beside this class");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
