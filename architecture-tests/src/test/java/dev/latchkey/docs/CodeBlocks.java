package dev.latchkey.docs;

import java.util.Map;
import java.util.Set;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * Writes code blocks: a Mermaid block as a drawn diagram, other code with its language for the highlighter. Both scroll
 * by keyboard.
 */
final class CodeBlocks implements NodeRenderer {

    private static final String TEXT = "plaintext";

    /** The highlighter's names for languages that pages name otherwise. */
    private static final Map<String, String> NAMES = Map.of("", TEXT, "text", TEXT, "sh", "bash", "properties", "ini");

    private final HtmlWriter html;
    private final Language language;

    CodeBlocks(HtmlNodeRendererContext context, Language language) {
        this.html = context.getWriter();
        this.language = language;
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
        return Set.of(FencedCodeBlock.class);
    }

    @Override
    public void render(Node node) {
        FencedCodeBlock block = (FencedCodeBlock) node;
        String info = block.getInfo() == null ? "" : block.getInfo();
        html.line();
        if (info.equals("mermaid")) {
            html.raw("<div class=\"diagram\"" + region(language.word("diagram")) + ">");
            html.raw(DiagramSvg.of(Diagram.of(block.getLiteral())) + "</div>");
        } else {
            html.raw(of(info, block.getLiteral(), language));
        }
        html.line();
    }

    static String of(String info, String code, Language language) {
        return "<div class=\"code\" data-language=\"" + Layout.escape(info) + "\"><pre" + region(language.word("code"))
                + "><code class=\"language-" + Layout.escape(NAMES.getOrDefault(info, info)) + "\">"
                + Layout.escape(code) + "</code></pre></div>";
    }

    /** The attributes of an element that scrolls. */
    static String region(String label) {
        return " tabindex=\"0\" role=\"region\" aria-label=\"" + Layout.escape(label) + "\"";
    }
}
