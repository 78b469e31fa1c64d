package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.CurrentLogin;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class ReactivePasskeysControllerTest {

    /** A filter of the service may put the tenant there after Spring Security's filters. */
    @Test
    void accounts_areLookedUpWithTheContextOfTheSubscriber() {
        AtomicReference<Object> tenant = new AtomicReference<>();
        new ReactivePasskeysController(null)
                .answer(() -> {
                    ContextView subscriber = (ContextView)
                            Objects.requireNonNull(CurrentLogin.here().get(CurrentLogin.SUBSCRIBER));
                    tenant.set(subscriber.get("tenant"));
                    return ResponseEntity.ok().build();
                })
                .contextWrite(Context.of("tenant", "a"))
                .block();
        assertThat(tenant).hasValue("a");
    }
}
