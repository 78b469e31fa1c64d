package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.nacos.settings.IncompatibleServerException;
import dev.latchkey.nacos.settings.SettingsFailureAnalyzer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanDefinitionStoreException;

final class ServerClassesTest {

    private static final Pattern NAME = Pattern.compile("com/alibaba/nacos/[A-Za-z0-9_/$]+");

    @Test
    void everyClassOfTheServerThatIsUsed_isCheckedAtTheStart() throws Exception {
        Path classes = Path.of(ServerClasses.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                Matcher names = NAME.matcher(textOf(file));
                while (names.find()) {
                    used.add(names.group().replace('/', '.'));
                }
            }
        }

        assertThat(ServerClasses.NEEDED).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void serverWithoutOne_isToldAtTheStart() {
        ServerClasses.require(getClass().getClassLoader());
        ClassLoader older = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.endsWith(".NacosRoleService")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        };

        assertThatExceptionOfType(IncompatibleServerException.class)
                .isThrownBy(() -> ServerClasses.require(older))
                .withMessageContaining("roles.NacosRoleService")
                .satisfies(e -> assertThat(new SettingsFailureAnalyzer()
                                .analyze(new BeanDefinitionStoreException("", e))
                                .getAction())
                        .contains("nacos.plugin.auth.type"));
    }

    private static String textOf(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
