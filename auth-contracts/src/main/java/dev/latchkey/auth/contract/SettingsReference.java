package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The reference of a plugin's settings, made of their descriptions: metadata for an IDE, and a table for a page. A test
 * compares both with the files; with the system property {@code docs=write} the test writes the files first.
 *
 * <p>Immutable.
 */
public final class SettingsReference {

    private static final String BEGIN = "<!-- settings -->\n";
    private static final String END = "<!-- /settings -->";

    private final List<AuthPluginFactory> factories;

    private SettingsReference(List<AuthPluginFactory> factories) {
        this.factories = factories;
    }

    /**
     * The reference of the plugins of a jar. With several factories, the table names each setting with its type.
     *
     * @param factories with the descriptions
     * @return a reference
     */
    public static SettingsReference of(AuthPluginFactory... factories) {
        return new SettingsReference(List.of(factories));
    }

    /**
     * Compares a file with the metadata in the format of Spring Boot: IDEs complete {@code latchkey.plugin.<type>} with it.
     *
     * @param file such as {@code src/main/resources/META-INF/spring-configuration-metadata.json}
     * @throws IOException if the file cannot be read, or written
     * @throws AssertionError if the file has another content
     */
    public void assertMetadata(Path file) throws IOException {
        compare(file, metadata());
    }

    /**
     * Compares a page with the table of the settings: the lines between {@code <!-- settings -->} and {@code <!-- /settings
     * -->}.
     *
     * @param page such as {@code README.md}
     * @throws IOException if the page cannot be read, or written
     * @throws AssertionError if the page lacks the two comments, or has another table
     */
    public void assertTable(Path page) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new AssertionError(page + " lacks the lines " + BEGIN.strip() + " and " + END);
        }
        compare(page, text.substring(0, begin + BEGIN.length()) + table() + text.substring(end));
    }

    private static void compare(Path file, String text) throws IOException {
        if ("write".equals(System.getProperty("docs"))) {
            Files.writeString(file, text);
        }
        assertEquals(text, Files.readString(file), () -> file + " is outdated; -Ddocs=write writes the file");
    }

    private String metadata() {
        return factories.stream()
                .flatMap(factory -> factory.settings().stream().map(setting -> property(factory, setting)))
                .collect(Collectors.joining(
                        ",\n", "{\n  \"groups\": [],\n  \"properties\": [\n", "\n  ],\n  \"hints\": []\n}\n"));
    }

    private static String property(AuthPluginFactory factory, PluginSetting<?> setting) {
        String byDefault =
                setting.byDefault().isEmpty() ? "" : ",\n      \"defaultValue\": " + quoted(setting.byDefault());
        return "    {\n      \"name\": " + quoted("latchkey.plugin." + factory.type() + "." + setting.key())
                + ",\n      \"type\": " + quoted(typeOf(setting))
                + ",\n      \"description\": " + quoted(setting.description() + "; must be " + setting.rule())
                + byDefault + "\n    }";
    }

    private static String typeOf(PluginSetting<?> setting) {
        if (setting.type() == List.class) {
            return "java.util.List<java.lang.String>";
        }
        return setting.type() == Secret.class
                ? String.class.getName()
                : setting.type().getName();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private String table() {
        return factories.stream()
                .flatMap(factory -> factory.settings().stream()
                        .map(setting -> row(factories.size() == 1 ? "" : factory.type() + ".", setting)))
                .collect(Collectors.joining(
                        "", "| setting | default | meaning | value |\n| --- | --- | --- | --- |\n", ""));
    }

    private static String row(String prefix, PluginSetting<?> setting) {
        String byDefault = setting.byDefault().isEmpty() ? "" : "`" + cell(setting.byDefault()) + "` ";
        return "| `" + prefix + setting.key() + "` | " + (setting.isRequired() ? "required " : byDefault) + "| "
                + cell(setting.description()) + " | " + cell(setting.rule())
                + (setting.isSecret() ? ", never printed" : "") + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
