package dev.latchkey.auth.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery by ServiceLoader over class paths as they are found. */
class PluginDiscoveryTest {

    private static final String SERVICES = "META-INF/services/" + AuthPluginFactory.class.getName();

    @TempDir
    Path jars;

    private final List<URL> servicesFiles = new ArrayList<>();

    @Test
    void goodProvider_isFoundByName() throws IOException {
        PluginDirectory found = discover(Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThat(found.broken()).isEmpty();
        assertThat(found.select(List.of("good"), name -> PluginConfig.empty(), PluginHost.ALONE)
                        .pluginNames())
                .containsExactly("good");
    }

    @Test
    void emptyClassPath_hasNoPlugins() {
        PluginDirectory found = PluginDirectory.discover(new JarLoader());
        assertThat(found.names()).isEmpty();
        assertThat(found.broken()).isEmpty();
    }

    @Test
    void missingClass_isReportedByNameAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite("com.acme.NotThere", "com.acme.NotThere");
    }

    @Test
    void classThatCannotBeLinked_isReportedAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite("com.acme.Unlinkable", "NoClassDefFoundError: com/acme/Missing");
    }

    @Test
    void classThatFailsToInitialise_isReportedByNameAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite(FailsToInitialise.class.getName(), FailsToInitialise.class.getName());
    }

    @Test
    void constructorThatThrows_isReportedByNameWithItsReasonAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite(FailsToConstruct.class.getName(), FailsToConstruct.class.getName());
        assertOthersLoadDespite(FailsToConstruct.class.getName(), "no license file");
    }

    @Test
    void classOfAnotherType_isReportedByNameAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite(PluginDiscoveryTest.class.getName(), PluginDiscoveryTest.class.getName());
    }

    @Test
    void providerWithoutProperName_isReportedByItsClassAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite(ImproperName.class.getName(), ImproperName.class.getName() + ": ");
    }

    @Test
    void providerWhoseNameThrows_isReportedByItsClassAndTheOthersLoad() throws IOException {
        assertOthersLoadDespite(NameThrows.class.getName(), NameThrows.class.getName() + ": ");
    }

    @Test
    void malformedServicesFile_isReportedAndThoseOfOtherJarsLoad() throws IOException {
        servicesFile("this is no class name");
        PluginDirectory found = discover(Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThat(found.broken()).singleElement().asString().contains("services-0:1: ");
    }

    @Test
    void servicesFileThatIsNoText_isReportedAndThoseOfOtherJarsLoad() throws IOException {
        Path file = jars.resolve("binary");
        Files.write(file, new byte[] {(byte) 0xFF, 0, (byte) 0xC0, '\n'});
        servicesFiles.add(file.toUri().toURL());
        PluginDirectory found = discover(Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThat(found.broken()).hasSize(1);
    }

    @Test
    void servicesFileThatIsGone_isReportedAndThoseOfOtherJarsLoad() throws IOException {
        servicesFiles.add(jars.resolve("gone").toUri().toURL());
        PluginDirectory found = discover(Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThat(found.broken()).hasSize(1);
    }

    @Test
    void sameProviderInTwoJars_isOneProvider() throws IOException {
        servicesFile(Good.class.getName());
        PluginDirectory found = discover(Good.class.getName());
        assertThat(found.select(List.of("good"), name -> PluginConfig.empty(), PluginHost.ALONE)
                        .pluginNames())
                .containsExactly("good");
    }

    @Test
    void twoProvidersOfOneName_areRefusedByName_neitherWins() throws IOException {
        PluginDirectory found = discover(Good.class.getName() + "\n" + AlsoGood.class.getName());
        assertThatThrownBy(() -> found.select(List.of("good"), name -> PluginConfig.empty(), PluginHost.ALONE))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining(
                        "'good' is claimed by " + Good.class.getName() + " and " + AlsoGood.class.getName());
    }

    @Test
    void brokenProvider_isNamedWhereASelectedNameIsMissing() throws IOException {
        PluginDirectory found = discover("com.acme.NotThere");
        assertThatThrownBy(() -> found.select(List.of("acme"), name -> PluginConfig.empty(), PluginHost.ALONE))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining("No plugin is named 'acme'")
                .hasMessageContaining("could not be loaded")
                .hasMessageContaining("com.acme.NotThere");
    }

    @Test
    void providerForALaterVersion_stopsTheSelection_evenIfItIsNotSelected() throws IOException {
        PluginDirectory found = discover(Later.class.getName() + "\n" + Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThatThrownBy(() -> found.select(List.of("good"), name -> PluginConfig.empty(), PluginHost.ALONE))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining("The plugin factory " + Later.class.getName() + " in file:")
                .hasMessageContaining("was built for version " + (AuthPluginFactory.SPI_VERSION + 1)
                        + " of the SPI, and this is version " + AuthPluginFactory.SPI_VERSION);
    }

    /** The class file of a factory from before versions of the SPI. */
    @Test
    void providerFromBeforeTheVersions_stopsTheSelection() throws Exception {
        Path source = Files.createDirectories(jars.resolve("dev/latchkey/auth/factory"))
                .resolve("AuthPluginFactory.java");
        Files.writeString(
                source, "package dev.latchkey.auth.factory; public interface AuthPluginFactory { String type(); }");
        Path provider = jars.resolve("Earlier.java");
        Files.writeString(provider, """
                public class Earlier implements dev.latchkey.auth.factory.AuthPluginFactory {
                    public String type() { return "earlier"; }
                }""");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", jars.toString(), source.toString(), provider.toString()))
                .isZero();
        Files.delete(jars.resolve("dev/latchkey/auth/factory/AuthPluginFactory.class"));
        Path services = Files.createDirectories(jars.resolve("META-INF/services"));
        Files.writeString(services.resolve(AuthPluginFactory.class.getName()), "Earlier");
        try (URLClassLoader jar =
                new URLClassLoader(new URL[] {jars.toUri().toURL()}, getClass().getClassLoader())) {
            PluginDirectory found = PluginDirectory.discover(jar);
            assertThatThrownBy(() -> found.select(List.of(), name -> PluginConfig.empty(), PluginHost.ALONE))
                    .isInstanceOf(PluginSelectionException.class)
                    .hasMessageContaining("The plugin factory Earlier in file:")
                    .hasMessageContaining("was built for an older version of the SPI");
        }
    }

    @Test
    void loaderThatFailsForEver_isNotAskedForEver() {
        PluginDirectory found = PluginDirectory.discover(new ClassLoader(null) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("disk is gone");
            }
        });
        assertThat(found.names()).isEmpty();
        assertThat(found.broken()).singleElement().asString().contains("disk is gone");
    }

    private void assertOthersLoadDespite(String brokenProvider, String reported) throws IOException {
        servicesFiles.clear();
        PluginDirectory found = discover(brokenProvider + "\n" + Good.class.getName());
        assertThat(found.names()).containsExactly("good");
        assertThat(found.broken()).singleElement().asString().contains(reported);
    }

    private PluginDirectory discover(String services) throws IOException {
        servicesFile(services);
        return PluginDirectory.discover(new JarLoader());
    }

    private void servicesFile(String content) throws IOException {
        Path file = jars.resolve("services-" + servicesFiles.size());
        Files.writeString(file, content, UTF_8);
        servicesFiles.add(file.toUri().toURL());
    }

    /** Sees the classes of this test, and only the services files written by the test. */
    private final class JarLoader extends ClassLoader {

        JarLoader() {
            super(PluginDiscoveryTest.class.getClassLoader());
        }

        @Override
        public Enumeration<URL> getResources(String name) {
            return Collections.enumeration(name.equals(SERVICES) ? servicesFiles : List.of());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("com.acme.Unlinkable")) {
                throw new NoClassDefFoundError("com/acme/Missing");
            }
            return super.loadClass(name, resolve);
        }
    }

    /** The common part of the providers below, so that each provider shows a single defect. */
    public interface GoodFactory extends AuthPluginFactory {

        @Override
        default int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        default String type() {
            return "good";
        }

        @Override
        default List<PluginSetting<?>> settings() {
            return List.of();
        }

        @Override
        default AuthPlugin create(PluginEnvironment environment) {
            return ScriptedPlugin.named(environment.name());
        }
    }

    public static final class Good implements GoodFactory {}

    public static final class AlsoGood implements GoodFactory {}

    public static final class FailsToInitialise implements GoodFactory {
        static final int NUMBER = Integer.parseInt("none");
    }

    public static final class FailsToConstruct implements GoodFactory {
        public FailsToConstruct() {
            throw new IllegalStateException("no license file");
        }
    }

    public static final class Later implements GoodFactory {
        @Override
        public int spiVersion() {
            return SPI_VERSION + 1;
        }
    }

    public static final class ImproperName implements GoodFactory {
        @Override
        public String type() {
            return "Acme Login";
        }
    }

    public static final class NameThrows implements GoodFactory {
        @Override
        public String type() {
            throw new NoClassDefFoundError("com/acme/Names");
        }
    }
}
