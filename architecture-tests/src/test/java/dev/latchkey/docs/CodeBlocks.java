package dev.latchkey.docs;

import java.util.Map;
import java.util.Set;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.IndentedCodeBlock;
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
        return Set.of(FencedCodeBlock.class, IndentedCodeBlock.class);
    }

    @Override
    public void render(Node node) {
        html.line();
        if (node instanceof FencedCodeBlock block) {
            String info = block.getInfo() == null ? "" : block.getInfo();
            html.raw(info.equals("mermaid") ? drawn(block.getLiteral()) : of(info, block.getLiteral(), language));
        } else if (node instanceof IndentedCodeBlock block) {
            html.raw(of("", block.getLiteral(), language));
        }
        html.line();
    }

    private String drawn(String mermaid) {
        return "<div class=\"diagram\"" + region(language.word("diagram")) + ">" + DiagramSvg.of(Diagram.of(mermaid))
                + "</div>";
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
