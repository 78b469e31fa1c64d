package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The README's snippet, line by line, but on a clock that stands still: no machine is too slow for it. */
class ReadmeTest {

    @Test
    void snippetCompilesAndAnswers() {
        HeaderFields headers = name -> List.of("192.0.2.7");
        AuthChain chain = AuthChain.of();
        PasswordCredentials credentials = new PasswordCredentials("ann", Secret.of("any"));

        try (GuardTime time = new ManualTime();
                HashingPool pool = HashingPool.start(HashingPoolSettings.defaults(), time)) {
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            LoginGuard guard = new LoginGuard(limits, pool);
            TrustedProxies proxies = TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("10.0.0.0/8"));

            ClientSource source = proxies.sourceOf("10.0.0.7", headers);
            CompletableFuture<Verdict> verdict = guard.authenticate(chain, credentials, source, 0);

            assertThat(source.network()).isEqualTo("192.0.2.7");
            assertThat(verdict.join()).isInstanceOf(Rejected.class);
        }
    }
}
