package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * A guide of {@code docs}. Its code and configuration are taken unchanged from the page. Files under {@code
 * /run/secrets} are in a folder of the test.
 */
final class Guide implements AutoCloseable {

    private static final Path DOCS = Path.of("..", "docs");
    private static final String SECRETS = "/run/secrets";
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```(\\w*)\\n(.*?)^ *```");
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public |final |abstract )*class (\\w+)");

    private final String page;
    private final Path folder;
    private final URLClassLoader loader;

    private Guide(String page, Path folder, URLClassLoader loader) {
        this.page = page;
        this.folder = folder;
        this.loader = loader;
    }

    /** Compiles all classes of the page, in one package without a name. */
    static Guide of(String name, Path folder) throws IOException {
        String page = Files.readString(DOCS.resolve(name));
        List<Path> sources = new ArrayList<>();
        for (String code : blocks(page, "java")) {
            Matcher type = CLASS.matcher(code);
            assertThat(type.find()).as("a class in %s", code).isTrue();
            sources.add(Files.writeString(folder.resolve(type.group(1) + ".java"), code));
        }
        if (!sources.isEmpty()) {
            compile(sources, folder);
        }
        URL[] classes = {folder.toUri().toURL()};
        return new Guide(page, folder, new URLClassLoader(classes, Guide.class.getClassLoader()));
    }

    Class<?> type(String name) throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    ClassLoader loader() {
        return loader;
    }

    /** The file of the test that stands for one under {@code /run/secrets}. */
    Path secret(String name) {
        return folder.resolve(name);
    }

    /** The configuration of the page's block of this number, as {@code name=value}. */
    String[] configuration(int number) throws IOException {
        List<String> yaml = blocks(page, "yaml");
        return read(new YamlPropertySourceLoader(), yaml.get(number));
    }

    String[] properties(int number) throws IOException {
        return read(
                new PropertiesPropertySourceLoader(), blocks(page, "properties").get(number));
    }

    /** The commands of the page's block of this number. */
    String commands(int number) {
        return blocks(page, "sh").get(number);
    }

    /** Expects this line in a block of the page. There, … stands for any text, and blanks do not count. */
    void shows(String line) {
        String wanted = withoutBlanks(line);
        List<String> shown = FENCED.matcher(page)
                .results()
                .flatMap(block -> block.group(2).lines())
                .filter(each -> !withoutBlanks(each).replace("…", "").isEmpty())
                .toList();
        assertThat(shown)
                .as("a line of the page like %s", line)
                .anySatisfy(each -> assertThat(wanted).matches(patternOf(each)));
    }

    /** Each … is any text. */
    private static String patternOf(String line) {
        return Arrays.stream(withoutBlanks(line).split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
    }

    private static String withoutBlanks(String line) {
        return line.replace(" ", "");
    }

    /** Of all blocks of the page. */
    List<String> allProperties() throws IOException {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < blocks(page, "yaml").size(); i++) {
            pairs.addAll(List.of(configuration(i)));
        }
        for (int i = 0; i < blocks(page, "properties").size(); i++) {
            pairs.addAll(List.of(properties(i)));
        }
        return pairs;
    }

    private String[] read(PropertySourceLoader format, String text) throws IOException {
        List<String> pairs = new ArrayList<>();
        String moved = text.replace(SECRETS, folder.toString());
        for (PropertySource<?> source :
                format.load("guide", new ByteArrayResource(moved.getBytes(StandardCharsets.UTF_8)))) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                pairs.add(name + "=" + source.getProperty(name));
            }
        }
        assertThat(pairs).isNotEmpty();
        return pairs.toArray(String[]::new);
    }

    private static List<String> blocks(String page, String language) {
        return FENCED.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2).stripIndent())
                .toList();
    }

    private static void compile(List<Path> sources, Path folder) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-parameters");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean done = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(done).as(messages.toString()).isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
