package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthPlugin;
import java.util.ArrayList;
import java.util.List;

/** A single test: the opened plugins, and the questions for the plugins. */
final class Trial<P extends AuthPlugin> {

    /** An account that no fixture has. */
    static final String NOBODY = "nobody-of-this-name-7d1f";

    private final PluginContract<P> fixture;
    private final List<AuthPlugin> opened = new ArrayList<>();

    Trial(PluginContract<P> fixture) {
        this.fixture = fixture;
    }

    PluginContract<P> fixture() {
        return fixture;
    }

    /** Another plugin of the fixture's. */
    P open() throws Exception {
        return closingLater(TimeLimit.call(TimeLimit.USUAL, "newPlugin()", fixture::newPlugin));
    }

    <Q extends AuthPlugin> Q closingLater(Q plugin) {
        synchronized (opened) {
            opened.add(plugin);
        }
        return plugin;
    }

    void close() throws Exception {
        for (AuthPlugin plugin : opened) {
            close(plugin);
        }
    }

    static void close(AuthPlugin plugin) throws Exception {
        TimeLimit.call(TimeLimit.USUAL, "close()", () -> {
            plugin.close();
            return true;
        });
    }

    /** That this plugin answers the probe rightly. */
    Object assertRight(Probe<P> probe, P plugin, String when) throws Exception {
        String input = probe.input() + when;
        return right(probe, input, Calls.answer(input, probe.to(plugin)));
    }

    static Object right(Probe<?> probe, String input, Object answer) {
        return probe.isRight().test(answer) ? answer : fail("wrong answer " + Hostile.shown(answer) + " for " + input);
    }
}
