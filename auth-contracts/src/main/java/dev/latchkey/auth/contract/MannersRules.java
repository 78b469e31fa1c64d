package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.PluginNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Names, right answers, the end of a plugin, interrupts and secrets. */
interface MannersRules<P extends AuthPlugin> extends Rules<P> {

    @Test
    default void name_isProper_andConstant() throws Exception {
        P plugin = trial().open();
        String name = Calls.answer("name()", () -> PluginNames.require(plugin.name()));
        boolean bounds = plugin.boundsItsCalls();
        for (Probe<P> probe : trial().fixture().probes()) {
            Calls.answerOrOutage(probe.input(), probe.to(plugin));
        }
        assertEquals(name, plugin.name(), "the name changed after a call");
        assertEquals(bounds, plugin.boundsItsCalls(), "boundsItsCalls() changed after a call");
        assertEquals(name, trial().open().name(), "another instance has another name");
    }

    @Test
    default void answers_areRight_theFirstTimeAndLater() throws Exception {
        P plugin = trial().open();
        for (String when : List.of("", ", the second time")) {
            for (Probe<P> probe : trial().fixture().probes()) {
                trial().assertRight(probe, plugin, when);
            }
        }
        for (Probe<P> probe : trial().fixture().probes()) {
            trial().assertRight(probe, trial().open(), ", by another instance");
        }
    }

    @Test
    default void closedPlugin_letsNobodyIn() throws Exception {
        for (Probe<P> probe : trial().fixture().probes()) {
            P plugin = trial().open();
            String input = probe.input() + ", after close()";
            Callable<Object> call =
                    Calls.answer(probe.input(), () -> probe.question().prepare(plugin));
            Trial.close(plugin);
            assertDoesNotThrow(() -> Trial.close(plugin), "closing twice must be the same as once");
            Object answer = Calls.answerOrOutage(input, call);
            assertFalse(
                    probe.letsIn().test(answer), () -> "lets somebody in: " + Hostile.shown(answer) + " for " + input);
        }
    }

    /** A container interrupts its threads at its stop. Credentials are not wrong then. */
    @Test
    default void interruptedCaller_getsNoWrongAnswer() throws Exception {
        for (Probe<P> probe : trial().fixture().probes()) {
            P plugin = trial().open();
            String input = probe.input() + ", on an interrupted thread";
            Callable<Object> call =
                    Calls.answer(probe.input(), () -> probe.question().prepare(plugin));
            Object answer = TimeLimit.call(TimeLimit.USUAL, input, () -> {
                Thread.currentThread().interrupt();
                Object given = Calls.answerOrOutageHere(input, call);
                if (given instanceof AuthUnavailableException) {
                    Interruption.assertFlagIsSet(input);
                }
                return given;
            });
            if (!(answer instanceof AuthUnavailableException)) {
                Trial.right(probe, input, answer);
            }
        }
    }

    @Test
    default void secrets_areNeverPrinted() throws Exception {
        PluginContract<P> fixture = trial().fixture();
        Optional<? extends P> broken = fixture.newPluginInOutage();
        broken.ifPresent(trial()::closingLater);
        Printed printed = new Printed();
        printed.listenWhile(() -> {
            List<P> plugins = new ArrayList<>(List.of(trial().open()));
            broken.ifPresent(plugins::add);
            for (P plugin : plugins) {
                for (Probe<P> probe : fixture.probes()) {
                    printed.add(plugin, Calls.answerOrOutage(probe.input(), probe.to(plugin)));
                }
                Trial.close(plugin);
                printed.add(plugin);
            }
        });
        printed.assertWithout(fixture.secrets(), "by the plugin or in an answer");
    }
}
