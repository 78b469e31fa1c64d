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

/**
 * Writes the repository's pages as a site. The site has the repository's layout, so links between pages stay. Linked files are
 * copied.
 */
final class Site {

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
            } else {
                Files.copy(repository.resolve(path), to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.writeString(folder.resolve("search-index.js"), SearchIndex.of(pages));
        for (String file : List.of("site.css", "site.js", "index.html")) {
            Files.writeString(folder.resolve(file), resource(file));
        }
        return pages;
    }

    private Set<Path> allThatIsLinked(Menu menu) throws IOException {
        Set<Path> linked = new LinkedHashSet<>();
        Deque<Path> next = new ArrayDeque<>(menu.pages());
        next.addFirst(Menu.PAGE);
        next.addFirst(FIRST);
        while (!next.isEmpty()) {
            Path path = next.pop();
            if (linked.add(path) && path.toString().endsWith(".md")) {
                Page page = Page.read(repository, path);
                for (String link : page.links()) {
                    if (!Target.isElsewhere(link)) {
                        next.add(Target.of(link, page, repository).path());
                    }
                }
            }
        }
        return linked;
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
