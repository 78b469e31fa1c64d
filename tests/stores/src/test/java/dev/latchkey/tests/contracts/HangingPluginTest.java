package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.PluginContract;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A plugin that never returns ends a test, and not a build. Each takes all of the kit's patience. */
class HangingPluginTest {

    @Test
    void kit_namesTheCallThatDoesNotReturn() {
        PluginContract<?> making = new Kits.Passwords(() -> {
            forEver();
            return new PasswordPlugin();
        });
        assertThat(KitRun.failure("name_isProper_andConstant", making))
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("newPlugin()")
                        .hasMessageContaining("no answer within"));
    }

    private static void forEver() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // A plugin that does not listen.
            }
        }
    }
}
