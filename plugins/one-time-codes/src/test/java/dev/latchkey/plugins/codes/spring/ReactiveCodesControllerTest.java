package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.CurrentLogin;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import reactor.core.Disposable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class ReactiveCodesControllerTest {

    /** A filter of the service may put the tenant there after Spring Security's filters. */
    @Test
    void accounts_areLookedUpWithTheContextOfTheSubscriber() {
        AtomicReference<Object> tenant = new AtomicReference<>();
        new ReactiveCodesController(null)
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

    /** An interrupted store looks like an outage. */
    @Test
    void clientThatLeaves_doesNotInterruptTheStore() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Disposable client = new ReactiveCodesController(null)
                .answer(() -> {
                    asked.countDown();
                    try {
                        left.await();
                        interrupted.complete(Thread.currentThread().isInterrupted());
                    } catch (InterruptedException e) {
                        interrupted.complete(true);
                    }
                    return ResponseEntity.ok().build();
                })
                .subscribe();
        asked.await();
        client.dispose();
        left.countDown();
        assertThat(interrupted).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
    }
}
