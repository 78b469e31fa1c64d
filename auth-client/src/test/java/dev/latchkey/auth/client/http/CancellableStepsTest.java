package dev.latchkey.auth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The exchange below ends with the request. */
class CancellableStepsTest {

    private final CancellableSteps steps = new CancellableSteps();
    private final CompletableFuture<String> token = new CompletableFuture<>();
    private final CompletableFuture<String> exchange = new CompletableFuture<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final CompletableFuture<String> whole = steps.endingWith(token.thenCompose(shown -> steps.next(() -> {
        begun.incrementAndGet();
        return exchange;
    })));

    @Test
    void cancelledWhole_cancelsTheExchange() {
        token.complete("token");
        whole.cancel(true);
        assertThat(exchange).isCancelled();
    }

    @Test
    void wholeThatIsCancelledBefore_beginsNoExchange() {
        whole.cancel(true);
        token.complete("token");
        assertThat(begun).hasValue(0);
        assertThat(steps.next(() -> exchange)).isCompletedExceptionally();
        assertThat(exchange).isNotDone();
    }

    @Test
    void wholeThatEnds_cancelsNothing() {
        token.complete("token");
        exchange.complete("answer");
        assertThat(whole).isCompletedWithValue("answer");
        assertThat(exchange).isNotCancelled();
    }
}
