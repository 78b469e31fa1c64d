package dev.latchkey.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;

/** The menu of the site: the headings and lists of {@code docs/README.md}. A link in a table is no item of the menu. */
record Menu(List<Part> parts) {

    static final Path PAGE = Path.of("docs", "README.md");

    /** A heading of the menu with its pages. */
    record Part(String title, List<Item> items) {}

    /** A page with its name in the menu. */
    record Item(String name, Path page) {}

    static Menu of(Page index, Path repository) {
        List<Part> parts = new ArrayList<>();
        index.root().accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (heading.getLevel() == 2) {
                    parts.add(new Part(Markdown.textOf(heading), new ArrayList<>()));
                }
            }

            @Override
            public void visit(Link link) {
                boolean isItem = link.getParent() != null && link.getParent().getParent() instanceof ListItem;
                if (isItem && !parts.isEmpty()) {
                    Path page =
                            Target.of(link.getDestination(), index, repository).path();
                    parts.get(parts.size() - 1).items().add(new Item(Markdown.textOf(link), page));
                }
            }
        });
        return new Menu(parts.stream().filter(part -> !part.items().isEmpty()).toList());
    }

    /** Each page once, in the order of the menu. */
    List<Path> pages() {
        return parts.stream()
                .flatMap(part -> part.items().stream())
                .map(Item::page)
                .distinct()
                .toList();
    }
}
