package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.contract.HttpBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The rule of equal times over HTTP. A right plugin always passes: {@code -Dtimes=200} tries 200 times, a build five times. A
 * plugin with a faster backend for unknown names fails.
 */
class EqualTimesTest {

    private static final String RULE = "unknownAccount_takesTheTimeOfAWrongPassword";

    @Test
    void rightPluginOverHttp_isNeverAccused() {
        for (int run = 1; run <= Integer.getInteger("times", 5); run++) {
            assertThat(KitRun.failure(RULE, new DirectoryContractTest()))
                    .as("run " + run)
                    .isEmpty();
        }
    }

    @Test
    void backendThatAnswersUnknownNamesSooner_isFound() {
        assertThat(KitRun.failure(RULE, new DirectoryContractTest() {
                    @Override
                    protected Optional<HttpBackend> backend() {
                        return Optional.of(HttpBackend.of(DirectoryPlugin::new, this::slowly, DirectoryPlugin.TIMEOUT));
                    }

                    private void slowly(HttpExchange request) throws IOException {
                        DirectoryContractTest.answer(request, given -> {
                            if (given.startsWith("ada")) {
                                LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
                            }
                        });
                    }
                }))
                .hasValueSatisfying(
                        failure -> assertThat(failure).hasMessageContaining("the time tells which accounts there are"));
    }
}
