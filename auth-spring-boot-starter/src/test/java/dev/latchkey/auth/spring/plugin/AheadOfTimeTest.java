package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.spring.AheadOfTimeRun;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyGuardWebAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;

/** What a service with the starter has after Spring's processing ahead of time, and what a native image keeps of it. */
@Tag("long")
class AheadOfTimeTest {

    private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();
    private static RuntimeHints hints;
    private static ClassName initializer;

    @BeforeAll
    static void process() {
        DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Service.class)), FILES);
        try (var context = new AnnotationConfigServletWebServerApplicationContext()) {
            TestPropertyValues.of("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                    .applyTo(context);
            context.register(Service.class);
            initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();
        hints = generation.getRuntimeHints();
    }

    @Test
    void serviceWithBootsDefaultChain_runsOnWhatWasGenerated(@TempDir Path folder) throws Exception {
        assertThat(AheadOfTimeRun.answers(FILES, initializer, folder))
                .extracting(answer -> answer.substring(0, 3))
                .containsExactly("200", "401", "200", "401");
    }

    @Test
    void encoderThatIsDeclaredByItsClass_hasItsSubclassMade() {
        // Numbered: another test of this JVM may have had one made before.
        String subclass = FILES.getGeneratedFiles(GeneratedFiles.Kind.CLASS).keySet().stream()
                .map(file -> file.replace('/', '.').replaceFirst("\\.class$", ""))
                .filter(name -> name.startsWith(
                        "org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder$$SpringCGLIB$$"))
                .findFirst()
                .orElseThrow();
        assertThat(reflection().onType(TypeReference.of(subclass))).accepts(hints);
    }

    @Test
    void encoderAndAccountsInsideAProvider_areReached() throws Exception {
        assertThat(reflection()
                        .onMethod(DaoAuthenticationProvider.class, "getPasswordEncoder")
                        .invoke())
                .accepts(hints);
        assertThat(reflection()
                        .onMethod(DaoAuthenticationProvider.class, "getUserDetailsService")
                        .invoke())
                .accepts(hints);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LatchkeyProperties.class,
                LatchkeyProperties.Cache.class,
                LatchkeyProperties.Jwt.class,
                LatchkeyProperties.Login.class,
                GuardProperties.class,
                GuardProperties.Limits.class,
                GuardProperties.Refusals.class,
                LimitWindow.class
            })
    void properties_areBound(Class<?> record) {
        assertThat(reflection()
                        .onConstructor(record.getDeclaredConstructors()[0])
                        .invoke())
                .accepts(hints);
    }

    private static TypeReference starters(String name) {
        return TypeReference.of("dev.latchkey.auth.spring." + name);
    }

    @Test
    void failureAnalysers_areFound() {
        RuntimeHints ofSpring = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar ->
                        registrar.registerHints(ofSpring, getClass().getClassLoader()));
        for (String analyser : List.of("settings.LatchkeyFailureAnalyzer", "shared.SecondPrimaryFailureAnalyzer")) {
            assertThat(reflection()
                            .onType(starters(analyser))
                            .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                    .accepts(ofSpring);
        }
        assertThat(reflection().onType(starters("settings.NacosAliases"))).accepts(ofSpring);
    }

    @Test
    void pluginsOfTheClassPath_areFound_alsoBesideABrokenOne(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(AuthPluginFactory.class.getName()),
                "com.example.Missing\n" + FoundFactory.class.getName() + "\n");
        RuntimeHints found = new RuntimeHints();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            new PluginRuntimeHints().registerHints(found, loader);
        }
        assertThat(resource().forResource("META-INF/services/" + AuthPluginFactory.class.getName()))
                .accepts(found);
        assertThat(reflection()
                        .onType(FoundFactory.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
                .accepts(found);
    }

    /** What a jar on the class path brings. */
    public static final class FoundFactory implements AuthPluginFactory {

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public String type() {
            return "found";
        }

        @Override
        public List<PluginSetting<?>> settings() {
            return List.of();
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            throw new UnsupportedOperationException("Only found, never asked");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Services.Accounts.class)
    @ImportAutoConfiguration({
        HttpMessageConvertersAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        LatchkeyAutoConfiguration.class,
        LatchkeyEncodersAutoConfiguration.class,
        LatchkeyGuardAutoConfiguration.class,
        LatchkeyGuardWebAutoConfiguration.class,
        LatchkeyJwtAutoConfiguration.class,
        LatchkeyLoginAutoConfiguration.class,
        LatchkeyLoginEndpointsAutoConfiguration.class,
        LatchkeyWebAutoConfiguration.class
    })
    static class Service {}
}
