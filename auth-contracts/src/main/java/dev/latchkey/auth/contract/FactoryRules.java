package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How plugins are made from configuration. */
interface FactoryRules<P extends AuthPlugin> extends Rules<P> {

    /** An invalid value of every setting; long, so that no message contains the text by chance. */
    String NO_VALUE = "kit-value-9b1d54 \u0001";

    @TestFactory
    default Stream<DynamicTest> factory_isFoundByItsType() {
        return trial().fixture().factory().stream()
                .map(factory -> dynamicTest("factory", () -> {
                    // First, because a service finds no factory of another version.
                    assertEquals(
                            AuthPluginFactory.SPI_VERSION, factory.spiVersion(), "spiVersion() is not SPI_VERSION");
                    PluginDirectory found = PluginDirectory.discover(
                            trial().fixture().getClass().getClassLoader());
                    assertTrue(
                            found.names().contains(factory.type()),
                            () -> "found only " + found.names() + found.broken());
                }));
    }

    @TestFactory
    default Stream<DynamicTest> settings_areDescribedOnceEach() {
        return trial().fixture().factory().stream()
                .map(factory -> dynamicTest("factory", () -> {
                    List<String> keys =
                            factory.settings().stream().map(PluginSetting::key).toList();
                    assertEquals(new HashSet<>(keys).size(), keys.size(), () -> "a key occurs twice: " + keys);
                }));
    }

    @TestFactory
    default Stream<DynamicTest> factory_makesAPluginOfTheNameThatItIsGiven_andDescribesAllOfItsSettings()
            throws Exception {
        Map<String, String> settings = trial().fixture().settings();
        return trial().fixture().factory().filter(any -> !settings.isEmpty()).stream()
                .map(factory -> dynamicTest("factory", () -> {
                    AuthPlugin plugin = trial().closingLater(created(factory, config(settings)));
                    assertEquals("another-name", plugin.name(), "two plugins of one type cannot be told apart");
                }));
    }

    @TestFactory
    default Stream<DynamicTest> settingThatIsWrong_isNamedByItsKey_andItsValueIsNotRepeated() throws Exception {
        Map<String, String> settings = trial().fixture().settings();
        return trial().fixture().factory().stream()
                .flatMap(factory -> settings.keySet().stream()
                        .map(key -> dynamicTest(key, () -> {
                            Map<String, String> wrong = new HashMap<>(settings);
                            wrong.put(key, NO_VALUE);
                            assertNamedOrTaken(factory, key, wrong);
                            wrong.remove(key);
                            assertNamedOrTaken(factory, key, wrong);
                        })));
    }

    private void assertNamedOrTaken(AuthPluginFactory factory, String key, Map<String, String> settings)
            throws Exception {
        PluginConfig config = config(settings);
        String input =
                settings.containsKey(key) ? "a wrong value of the setting " + key : "the setting " + key + " left out";
        try {
            trial().closingLater(created(factory, config));
        } catch (PluginConfigException e) {
            String message = String.valueOf(e.getMessage());
            assertTrue(
                    message.contains(key), () -> "does not name the key, for " + input + ": " + Hostile.shown(message));
            assertFalse(message.contains("kit-value-9b1d54"), () -> "repeats the value, for " + input);
            Printed printed = new Printed();
            printed.add(e);
            assertFalse(config.hasSecretIn(printed.toString()), () -> "a cause repeats a secret setting, for " + input);
        } catch (RuntimeException e) {
            fail("threw " + e.getClass().getName() + " where a PluginConfigException is wanted, for " + input, e);
        }
    }

    private static AuthPlugin created(AuthPluginFactory factory, PluginConfig config) throws Exception {
        return TimeLimit.call(
                TimeLimit.USUAL, "create(…)", () -> config.create("another-name", factory, PluginHost.ALONE));
    }

    private static PluginConfig config(Map<String, String> settings) {
        return PluginConfig.of("latchkey.plugin.another-name.", settings);
    }
}
