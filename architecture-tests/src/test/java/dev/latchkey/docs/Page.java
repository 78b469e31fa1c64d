package dev.latchkey.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * A page of the repository.
 *
 * @param path from the root of the repository
 * @param root the parsed text
 */
record Page(Path path, Node root) {

    /** A heading with its id. */
    record Section(int level, String title, String id) {}

    /** A code block with its language. */
    record Snippet(String language, String text) {}

    static Page read(Path repository, Path path) throws IOException {
        return new Page(path, Markdown.parse(Files.readString(repository.resolve(path))));
    }

    /** The first heading; the path of a page without headings. */
    String title() {
        List<Section> sections = sections();
        return sections.isEmpty() ? path.toString() : sections.get(0).title();
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        Markdown.Ids ids = Markdown.ids();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                sections.add(new Section(heading.getLevel(), Markdown.textOf(heading), ids.of(heading)));
            }
        });
        return sections;
    }

    /** The targets of links and pictures, as written. */
    List<String> links() {
        List<String> links = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link.getDestination());
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                links.add(image.getDestination());
            }
        });
        return links;
    }

    List<Snippet> snippets() {
        List<Snippet> snippets = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(FencedCodeBlock code) {
                snippets.add(new Snippet(code.getInfo(), code.getLiteral()));
            }
        });
        return snippets;
    }

    Language language() {
        return Language.of(path);
    }

    /** The path in the site. */
    Path htmlPath() {
        return htmlPath(path);
    }

    static Path htmlPath(Path page) {
        return Path.of(page.toString().replaceFirst("\\.md$", ".html"));
    }

    /** The relative way to the root of the site: {@code ../} for each folder. */
    String upToTheRoot() {
        return "../".repeat(path.getNameCount() - 1);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
