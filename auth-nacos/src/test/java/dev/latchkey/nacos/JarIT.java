package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The jar of the operator. Its content shares the server's class loader. */
final class JarIT {

    private static final long MOST_BYTES = 4L * 1024 * 1024;

    /** The API for jars of other plugins. */
    private static final Pattern API =
            Pattern.compile("dev/latchkey/auth/((engine|factory|permission|store)/)?[A-Z][^/]*|.*package-info.class");

    /** Everything else of Latchkey's own. */
    private static final Pattern INNER = Pattern.compile("dev[./]latchkey[./]auth[./](jwt|cache|guard)[./]");

    private static final Path JAR = Path.of(System.getProperty("nacos.plugin.jar"));

    @Test
    void jar_isSmall() throws IOException {
        assertThat(Files.size(JAR)).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void everyClass_isInPackagesOfThePluginsOwn() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> others = jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("dev/latchkey/nacos/"))
                    .filter(name -> !API.matcher(name).matches())
                    .toList();
            assertThat(others).isEmpty();
            assertThat(jar.stream().map(JarEntry::getName))
                    .anyMatch(name -> name.startsWith("dev/latchkey/nacos/shaded/caffeine/"))
                    .anyMatch(name -> name.startsWith("dev/latchkey/nacos/shaded/bucket4j/"))
                    .anyMatch(name -> name.startsWith("dev/latchkey/nacos/shaded/auth/jwt/"))
                    .anyMatch(name -> name.startsWith("dev/latchkey/nacos/shaded/nimbus/"))
                    .contains("dev/latchkey/auth/factory/AuthPluginFactory.class");
        }
    }

    @Test
    void noClass_namesALibraryByItsOwnPackage() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> strangers = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .filter(entry -> namesOne(textOf(jar, entry)))
                    .map(JarEntry::getName)
                    .toList();
            assertThat(strangers).isEmpty();
        }
    }

    @Test
    void manifestOfServices_hasThePluginAndNothingElse() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.startsWith("META-INF/services/") && !name.endsWith("/")))
                    .containsExactly("META-INF/services/com.alibaba.nacos.plugin.auth.spi.server.AuthPluginService");
            assertThat(jar.stream().map(JarEntry::getName)).contains("META-INF/LICENSE");
        }
    }

    private static boolean namesOne(String text) {
        return text.contains("com/github/benmanes/caffeine")
                || text.contains("com.github.benmanes.caffeine")
                || text.contains("io/github/bucket4j")
                || text.contains("io.github.bucket4j")
                || text.contains("com/nimbusds/")
                || text.contains("com.nimbusds.")
                || INNER.matcher(text).find();
    }

    private static String textOf(JarFile jar, JarEntry entry) {
        try (var bytes = jar.getInputStream(entry)) {
            return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalStateException(entry.getName() + " cannot be read", e);
        }
    }
}
