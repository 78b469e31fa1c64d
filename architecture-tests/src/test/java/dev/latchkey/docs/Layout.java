package dev.latchkey.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.node.Node;
import org.commonmark.renderer.html.AttributeProvider;

/** The HTML of a page, with menu and search. */
final class Layout {

    private static final int MOST_SECTIONS = 40;

    /** A first cell with code. */
    private static final Pattern NAME = Pattern.compile("<tr>\\s*<td><code>[^<]*");

    private final String template;
    private final Menu menu;
    private final Path repository;

    Layout(String template, Menu menu, Path repository) {
        this.template = template;
        this.menu = menu;
        this.repository = repository;
    }

    String of(Page page) {
        return template.replace("{title}", escape(page.title()))
                .replace("{root}", page.upToTheRoot())
                .replace("{menu}", menuOf(page))
                .replace("{sections}", sectionsOf(page))
                .replace("{text}", scrolling(Markdown.html(page.root(), linksOf(page))));
    }

    /** A link to a page becomes a link to the HTML page. Other links stay. */
    private AttributeProvider linksOf(Page page) {
        return (Node node, String tag, Map<String, String> attributes) -> {
            String link = attributes.get("href");
            if (link != null && !Target.isElsewhere(link)) {
                Target target = Target.of(link, page, repository);
                if (target.isAPage() && !link.startsWith("#")) {
                    attributes.put("href", link.replaceFirst("\\.md(?=#|$)", ".html"));
                }
            }
        };
    }

    private String menuOf(Page page) {
        return menu.parts().stream()
                .map(part -> "<h2>" + escape(part.title()) + "</h2>\n<ul>\n" + itemsOf(part, page) + "</ul>\n")
                .collect(Collectors.joining());
    }

    private static String itemsOf(Menu.Part part, Page page) {
        return part.items().stream()
                .map(item -> "<li><a href=\"" + page.upToTheRoot() + Page.htmlPath(item.page()) + "\""
                        + (item.page().equals(page.path()) ? " aria-current=\"page\"" : "") + ">" + escape(item.name())
                        + "</a></li>\n")
                .collect(Collectors.joining());
    }

    /** The sections of a long page; empty for a short page. */
    private static String sectionsOf(Page page) {
        List<Page.Section> sections = page.sections().stream()
                .filter(section -> section.level() == 2)
                .limit(MOST_SECTIONS)
                .toList();
        if (sections.size() < 3) {
            return "";
        }
        return "<nav class=\"sections\" aria-label=\"On this page\"><h2>On this page</h2><ul>\n"
                + sections.stream()
                        .map(section ->
                                "<li><a href=\"#" + section.id() + "\">" + escape(section.title()) + "</a></li>\n")
                        .collect(Collectors.joining())
                + "</ul></nav>";
    }

    /** A wide table scrolls within the page, by keyboard too. A name in the first column breaks at its dots. */
    private static String scrolling(String html) {
        return NAME.matcher(html)
                .replaceAll(name -> name.group().replace(".", ".<wbr>"))
                .replace("<table>", "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>")
                .replace("</table>", "</table></div>");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
