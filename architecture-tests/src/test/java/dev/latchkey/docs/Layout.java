package dev.latchkey.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        String html = Markdown.html(page.root(), linksOf(page), page.language());
        return of(page, sectionsOf(page), scrolling(html, page.language()));
    }

    /** The page of a source file with the text {@code code}. */
    String ofSource(Page page, String code) {
        String title = page.path().getFileName().toString();
        String language = title.substring(title.lastIndexOf('.') + 1);
        return of(page, "", "<h1>" + escape(title) + "</h1>\n" + CodeBlocks.of(language, code, page.language()));
    }

    private String of(Page page, String sections, String text) {
        return page.language()
                .in(template)
                .replace("{title}", escape(page.title()))
                .replace("{root}", page.upToTheRoot())
                .replace("{menu}", menuOf(page))
                .replace("{sections}", sections)
                .replace("{text}", text);
    }

    /** A link to a page or a source becomes a link to the HTML page. A link in another language names this language. */
    private AttributeProvider linksOf(Page page) {
        return (Node node, String tag, Map<String, String> attributes) -> {
            String link = attributes.get("href");
            if (link != null && !Target.isElsewhere(link)) {
                Target target = Target.of(link, page, repository);
                if (target.isAPage() && !link.startsWith("#")) {
                    attributes.put("href", link.replaceFirst("\\.md(?=#|$)", ".html"));
                } else if (target.isSource()) {
                    attributes.put("href", link + ".html");
                }
                Language language = Language.of(target.path());
                if (target.isAPage() && language != page.language()) {
                    attributes.put("hreflang", language.tag());
                }
                languageOf(Markdown.textOf(node), page).ifPresent(other -> attributes.put("lang", other));
            }
        };
    }

    /** The language of a text, if the page has another one. */
    private static Optional<String> languageOf(String text, Page page) {
        boolean isChinese = text.codePoints().anyMatch(Character::isIdeographic);
        Language language = isChinese ? Language.CHINESE : Language.ENGLISH;
        return language == page.language() ? Optional.empty() : Optional.of(language.tag());
    }

    private static String lang(String text, Page page) {
        return languageOf(text, page).map(tag -> " lang=\"" + tag + "\"").orElse("");
    }

    private String menuOf(Page page) {
        return menu.parts().stream()
                .map(part -> "<h2" + lang(part.title(), page) + ">" + escape(part.title()) + "</h2>\n<ul>\n"
                        + itemsOf(part, page) + "</ul>\n")
                .collect(Collectors.joining());
    }

    private static String itemsOf(Menu.Part part, Page page) {
        return part.items().stream()
                .map(item -> "<li><a href=\"" + page.upToTheRoot() + Page.htmlPath(item.page()) + "\""
                        + (item.page().equals(page.path()) ? " aria-current=\"page\"" : "")
                        + lang(item.name(), page) + ">" + escape(item.name())
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
        String title = escape(page.language().word("on-this-page"));
        return "<nav class=\"sections\" aria-label=\"" + title + "\"><h2>" + title + "</h2><ul>\n"
                + sections.stream()
                        .map(section ->
                                "<li><a href=\"#" + section.id() + "\">" + escape(section.title()) + "</a></li>\n")
                        .collect(Collectors.joining())
                + "</ul></nav>";
    }

    /** A wide table scrolls within the page, by keyboard too. A name in the first column breaks at its dots. */
    private static String scrolling(String html, Language language) {
        return NAME.matcher(html)
                .replaceAll(name -> name.group().replace(".", ".<wbr>"))
                .replace("<table>", "<div class=\"scroll\"" + CodeBlocks.region(language.word("table")) + "><table>")
                .replace("</table>", "</table></div>");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
