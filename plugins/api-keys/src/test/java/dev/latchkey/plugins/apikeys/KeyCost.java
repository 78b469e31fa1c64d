package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measures the processor time of a cached key, the figure least affected by other work. Run by name, outside of builds. */
class KeyCost {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int KEYS = 1_000;
    private static final int REQUESTS = 200_000;
    private static final int ROUNDS = 15;

    private final ApiKeys keys = ApiKeys.of(
            new InMemoryApiKeyStore(),
            KeyDigests.of(Secret.of(new byte[32])),
            ApiKeySettings.defaults(),
            (plugin, account) -> Optional.empty());
    private final ApiKeysPlugin plugin = ApiKeysPlugin.of(keys);
    private int next;

    @Test
    void hits() {
        String[] texts = IntStream.range(0, KEYS)
                .mapToObj(i -> (IssuedKey)
                        keys.issue(KeyOwner.of("account-" + i), KeyRequest.named("ci", "orders:read", "orders:write")))
                .map(issued -> issued.text().withText(CharSequence::toString))
                .toArray(String[]::new);
        ApiKeyCredentials[] credentials =
                Arrays.stream(texts).map(ApiKeyCredentials::of).toArray(ApiKeyCredentials[]::new);
        RequestContext[] requests = Arrays.stream(texts)
                .map(text -> RequestContext.none().withHeader("X-API-Key", text))
                .toArray(RequestContext[]::new);
        AuthChain chain = AuthChain.of(plugin);
        report(
                "a key that is checked",
                () -> plugin.authenticate(credentials[next++ % KEYS], RequestContext.none()) instanceof Authenticated);
        report(
                "a key that is read from a request",
                () -> plugin.read(requests[next++ % KEYS]).isPresent());
        report("a key that is read, and checked by a chain", () -> {
            RequestContext request = requests[next++ % KEYS];
            return chain.authenticate(chain.readers().of(request).get(0), request) instanceof Authenticated;
        });
        report(
                "what the limits count by",
                () -> credentials[next++ % KEYS].account().isPresent());
        plugin.close();
    }

    private static void report(String what, BooleanSupplier request) {
        long[] nanos = new long[ROUNDS];
        long good = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < REQUESTS; i++) {
                good += request.getAsBoolean() ? 1 : 0;
            }
            nanos[round] = (THREADS.getCurrentThreadCpuTime() - start) / REQUESTS;
        }
        assertThat(good).isEqualTo((long) ROUNDS * REQUESTS);
        Arrays.sort(nanos);
        System.out.println(
                what + ": " + nanos[ROUNDS / 2] + " ns in the middle of " + ROUNDS + " rounds, the best " + nanos[0]);
    }
}
