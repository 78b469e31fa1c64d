package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.PluginContract;
import org.junit.jupiter.params.provider.Arguments;

/** A planted fault of a plugin, with the rule that finds the fault and a part of the message. */
final class Planted {

    private Planted() {}

    static Arguments fault(String what, String rule, String says, PluginContract<?> kit) {
        return Arguments.of(what, rule, says, kit);
    }

    static void assertFound(String rule, String says, PluginContract<?> kit) {
        assertThat(KitRun.failure(rule, kit))
                .as("the rule " + rule + " finds nothing")
                .hasValueSatisfying(
                        failure -> assertThat(failure.getMessage()).isNotNull().contains(says));
    }
}
