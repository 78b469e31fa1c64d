package dev.latchkey.docs;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/** The project's Markdown: CommonMark with tables, and headings with GitHub's ids. */
final class Markdown {

    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    static Node parse(String text) {
        return PARSER.parse(text);
    }

    static String html(Node node, AttributeProvider attributes, Language language) {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .softbreak(language == Language.CHINESE ? "" : "\n") // Chinese has no spaces between sentences
                .attributeProviderFactory(context -> attributes)
                .nodeRendererFactory(context -> new CodeBlocks(context, language))
                .build()
                .render(node);
    }

    /** The text of a node without markup. */
    static String textOf(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }

    /** The ids of one page's headings, in the order of the headings. */
    static Ids ids() {
        IdGenerator generator = IdGenerator.builder().build();
        return heading -> generator.generateId(textOf(heading));
    }

    /** Gives each heading of a page its id. */
    interface Ids {
        String of(Heading heading);
    }
}
