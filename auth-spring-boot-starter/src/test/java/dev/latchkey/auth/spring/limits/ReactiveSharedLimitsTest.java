package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import reactor.core.publisher.Mono;

class ReactiveSharedLimitsTest {

    private final ExecutorService network = Executors.newSingleThreadExecutor(task -> new Thread(task, "of-the-store"));
    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final GuardTime time = GuardTime.start();

    /** A store across a network, with answers on another thread. */
    private final BucketStore remote = new BucketStore() {
        @Override
        public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
            return asked.thenApplyAsync(now -> BucketTake.TAKEN, network);
        }

        @Override
        public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
            return CompletableFuture.supplyAsync(() -> BucketTake.TAKEN, network);
        }
    };

    @AfterEach
    void stop() {
        network.shutdownNow();
        time.close();
    }

    @Test
    void continuationOfAStoresAnswer_leavesTheStoresThread() {
        LoginLimits limits = LoginLimits.shared(
                LoginLimitSettings.defaults(), remote, Secret.of("k".repeat(32)), time, GuardListener.NONE);
        AtomicReference<String> thread = new AtomicReference<>("");
        ReactiveLimitedPasswords manager = new ReactiveLimitedPasswords(
                request -> Mono.fromSupplier(() -> {
                    thread.set(Thread.currentThread().getName());
                    return request;
                }),
                limits,
                Integer.MAX_VALUE,
                Unseen.NONE);
        Authentication ann = UsernamePasswordAuthenticationToken.unauthenticated("ann", "right");
        CompletableFuture<Authentication> answer = manager.authenticate(ann).toFuture();
        asked.complete(null);
        assertThat(answer).succeedsWithin(Duration.ofSeconds(10));
        assertThat(thread.get()).startsWith("boundedElastic");
    }
}
