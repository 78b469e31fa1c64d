package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README's snippet, line by line, on a clock that stands still: no machine is too slow. */
class ReadmeTest {

    private static boolean matches(String name, String password) {
        return name.equals("ann") && password.equals("right");
    }

    @Test
    void snippetCompilesAndAnswers() {
        HeaderFields headers = name -> List.of("192.0.2.7");
        String name = "ann";
        String password = "right";
        boolean decided = false;

        try (GuardTime time = new ManualTime()) {
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            TrustedProxies proxies = TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("10.0.8.0/28"));
            LoginLimitGate gate =
                    new LoginLimitGate(limits, WaitingThreads.atMost(50), () -> proxies.sourceOf("10.0.8.7", headers));

            Reservation login = gate.begin(name, password);
            AttemptResult result = AttemptResult.FAILED;
            try {
                decided = matches(name, password);
                result = decided ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
            } finally {
                if (login != null) {
                    gate.end(login, result, password);
                }
            }

            assertThat(decided).isTrue();
            assertThat(limits.stats().settled()).containsEntry(AttemptResult.SUCCEEDED, 1L);
        }
    }
}
