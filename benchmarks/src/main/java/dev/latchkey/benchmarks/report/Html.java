package dev.latchkey.benchmarks.report;

/** Text as HTML. */
final class Html {

    private Html() {}

    /** For text and for attributes in double quotes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String element(String name, String type, String content) {
        return "<" + name + (type.isEmpty() ? "" : " class=\"" + type + "\"") + ">" + content + "</" + name + ">";
    }
}
