package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A network of all addresses among the trusted proxies. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class TooManyProxiesTest {

    private static final String WARNING = "so each client chooses its client IP";

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/0", "10.0.0.0/8,::/0", "64:ff9b::/96", "::ffff:0:0/96"})
    void networkOfAllAddresses_isOneWarning_thatNamesIt(String networks, CapturedOutput log) {
        Services.web()
                .withPropertyValues("latchkey.guard.trusted-proxies=" + networks)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(WARNING, -1)).hasSize(2);
        assertThat(log).contains("WARN", "latchkey.guard.trusted-proxies", networks.replace(",", ", "));
    }

    @Test
    void otherNetworks_areNoWarning(CapturedOutput log) {
        Services.web()
                .withPropertyValues("latchkey.guard.trusted-proxies=10.0.0.0/8,192.0.2.10,fd00::/8")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(WARNING);
    }
}
