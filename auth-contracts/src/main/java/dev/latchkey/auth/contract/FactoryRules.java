package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How plugins are made from configuration. */
interface FactoryRules extends Rules {

    @TestFactory
    default Stream<DynamicTest> factory_isFoundByItsType() {
        return trial().fixture().factory().stream()
                .map(factory -> dynamicTest("factory", () -> {
                    PluginDirectory found = PluginDirectory.discover(
                            trial().fixture().getClass().getClassLoader());
                    assertTrue(
                            found.names().contains(factory.type()),
                            () -> "found only " + found.names() + found.broken());
                }));
    }

    @TestFactory
    default Stream<DynamicTest> factory_makesAPluginOfTheNameThatItIsGiven_andAsksForAllOfItsSettings()
            throws Exception {
        Optional<PluginConfig> settings = trial().fixture().settings();
        return trial().fixture().factory().filter(any -> settings.isPresent()).stream()
                .map(factory -> dynamicTest("factory", () -> {
                    PluginConfig config = settings.orElseThrow();
                    try (AuthPlugin plugin = factory.create("another-name", config)) {
                        assertEquals("another-name", plugin.name(), "two plugins of one type cannot be told apart");
                    }
                    assertEquals(Set.of(), config.unread(), "settings that the factory did not ask for");
                }));
    }
}
