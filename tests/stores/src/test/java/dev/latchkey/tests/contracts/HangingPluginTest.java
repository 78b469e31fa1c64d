package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.contract.PluginContract;
import java.util.Optional;
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

    /** A call on the thread of the test has no time limit. */
    @Test
    void kitOfSteps_callsNothingOnTheThreadOfTheTest() {
        Thread test = Thread.currentThread();
        assertThat(KitRun.failedRules(() -> new Kits.Pins(() -> new PinStep() {
                    @Override
                    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                        requireLimit();
                        Optional<Challenged> wanted = super.wanted(login, context);
                        boolean isNamesake = login.subject().id().contains("ada");
                        return isNamesake ? Optional.of(Challenged.by(login, "pin")) : wanted;
                    }

                    @Override
                    public StepResult answer(ChallengeResponse response, RequestContext context) {
                        requireLimit();
                        return super.answer(response, context);
                    }

                    @Override
                    public boolean knowsDevice(Authenticated login, RequestContext context) {
                        requireLimit();
                        return super.knowsDevice(login, context);
                    }

                    private void requireLimit() {
                        if (Thread.currentThread().equals(test)) {
                            throw new IllegalStateException("a call without a time limit");
                        }
                    }
                })))
                .isEmpty();
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
