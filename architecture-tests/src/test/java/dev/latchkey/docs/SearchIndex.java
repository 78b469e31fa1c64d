package dev.latchkey.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** All sections of all pages with their words. A script and not JSON, since a browser reads no JSON beside a page from the disk. */
final class SearchIndex {

    /** A heading with the text below. */
    record Entry(String page, String link, String title, String text) {}

    private SearchIndex() {}

    static String of(List<Page> pages) {
        return pages.stream()
                .flatMap(page -> entriesOf(page).stream())
                .map(entry -> "[" + quote(entry.page()) + "," + quote(entry.link()) + "," + quote(entry.title()) + ","
                        + quote(entry.text()) + "]")
                .collect(Collectors.joining(",\n", "window.latchkeyIndex = [\n", "\n];\n"));
    }

    static List<Entry> entriesOf(Page page) {
        List<Entry> entries = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        Markdown.Ids ids = Markdown.ids();
        String title = page.title();
        String link = page.htmlPath().toString();
        for (Node block = page.root().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading heading) {
                if (!text.isEmpty()) {
                    entries.add(new Entry(page.title(), link, title, take(text)));
                }
                title = Markdown.textOf(heading);
                link = page.htmlPath() + "#" + ids.of(heading);
            } else {
                text.append(wordsOf(block)).append(' ');
            }
        }
        entries.add(new Entry(page.title(), link, title, take(text)));
        return entries;
    }

    private static String take(StringBuilder text) {
        String taken = text.toString().replaceAll("\\s+", " ").strip();
        text.setLength(0);
        return taken;
    }

    /** The text, with a space at the end of a line, a paragraph or a cell. */
    private static String wordsOf(Node block) {
        StringBuilder words = new StringBuilder();
        block.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak end) {
                words.append(' ');
            }

            @Override
            public void visit(Paragraph paragraph) {
                visitChildren(paragraph);
                words.append(' ');
            }

            @Override
            public void visit(CustomNode cell) {
                visitChildren(cell);
                words.append(' ');
            }

            @Override
            public void visit(FencedCodeBlock code) {
                words.append(code.getLiteral()).append(' ');
            }

            @Override
            public void visit(IndentedCodeBlock code) {
                words.append(code.getLiteral()).append(' ');
            }
        });
        return words.toString();
    }

    /** A JavaScript string, safe inside a page as well. */
    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
