package dev.latchkey.docs;

import java.nio.file.Path;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The language of a page, with the words of the site around the text. */
enum Language {
    ENGLISH(Locale.ROOT, "en"),
    CHINESE(Locale.SIMPLIFIED_CHINESE, "zh-CN");

    private static final Pattern WORD = Pattern.compile("\\{word:([a-z-]+)}");
    private static final ResourceBundle.Control NO_OTHER_LOCALE =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private final Locale locale;
    private final String tag;

    Language(Locale locale, String tag) {
        this.locale = locale;
        this.tag = tag;
    }

    /** The language of the page with this path: Chinese in {@code docs/zh-CN} and for {@code NAME.zh-CN.md}. */
    static Language of(Path page) {
        boolean isChinese =
                page.startsWith(Path.of("docs", CHINESE.tag)) || page.toString().endsWith("." + CHINESE.tag + ".md");
        return isChinese ? CHINESE : ENGLISH;
    }

    /** The tag of BCP 47. */
    String tag() {
        return tag;
    }

    /** A word of {@code words.properties}. */
    String word(String key) {
        return ResourceBundle.getBundle("dev.latchkey.docs.words", locale, NO_OTHER_LOCALE)
                .getString(key);
    }

    /** The template with this language's words. */
    String in(String template) {
        return WORD.matcher(template.replace("{lang}", tag))
                .replaceAll(found -> Matcher.quoteReplacement(Layout.escape(word(found.group(1)))));
    }
}
