package dev.latchkey.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java code of a page of {@code docs/how-to}: a single class in the unnamed package. */
final class GuidePage implements AutoCloseable {

    private static final Path GUIDES = Path.of("..", "..", "docs", "how-to");
    private static final Pattern CODE = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern CLASS = Pattern.compile("(?m)^class (\\w+)");

    private final URLClassLoader loader;
    private final String name;

    private GuidePage(URLClassLoader loader, String name) {
        this.loader = loader;
        this.name = name;
    }

    static GuidePage compile(String page, Path folder) throws IOException {
        Matcher code = CODE.matcher(Files.readString(GUIDES.resolve(page)));
        assertThat(code.find()).as("code in %s", page).isTrue();
        Matcher type = CLASS.matcher(code.group(1));
        assertThat(type.find()).as("a class in %s", page).isTrue();
        Path source = Files.writeString(folder.resolve(type.group(1) + ".java"), code.group(1));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-parameters");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            assertThat(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .as(messages.toString())
                    .isTrue();
        }
        URL[] classes = {folder.toUri().toURL()};
        return new GuidePage(new URLClassLoader(classes, GuidePage.class.getClassLoader()), type.group(1));
    }

    Class<?> type() throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
