package dev.latchkey.auth.spring.token;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How look-ups of accounts share a cache. */
class AccountRightsTest {

    private final AuthChain none = AuthChain.of(List.of());

    @Test
    void slowLookUp_keepsNoOtherLookUpWaiting() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch answered = new CountDownLatch(1);
        Supplier<AuthChain> slow = () -> {
            begun.incrementAndGet();
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return none;
        };
        AccountRights rights = new AccountRights(slow, System::nanoTime);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Optional<?>> first = threads.submit(() -> rights.apply("alice"));
            Future<Optional<?>> second = threads.submit(() -> rights.apply("alice"));
            until(() -> begun.get() == 2);
            answered.countDown();
            assertThat(first.get()).isEqualTo(second.get());
        } finally {
            answered.countDown();
            threads.shutdownNow();
        }
    }
}
