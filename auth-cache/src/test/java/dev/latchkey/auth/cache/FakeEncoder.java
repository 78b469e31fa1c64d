package dev.latchkey.auth.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.springframework.security.crypto.password.PasswordEncoder;

/** An encoder without secrets: counts its checks, has a duration of its own, and calls the test before the answer. */
class FakeEncoder implements PasswordEncoder {

    static final Duration COST = Duration.ofMillis(80);

    final AtomicInteger checks = new AtomicInteger();
    volatile BiConsumer<CharSequence, String> beforeAnswer = (presented, storedHash) -> {};
    private final TestTime time;

    FakeEncoder(TestTime time) {
        this.time = time;
    }

    @Override
    public String encode(CharSequence plain) {
        return "fake$" + plain;
    }

    @Override
    public boolean matches(CharSequence presented, String storedHash) {
        checks.incrementAndGet();
        beforeAnswer.accept(presented, storedHash);
        time.pass(COST);
        return Objects.equals(storedHash, encode(presented));
    }

    @Override
    public boolean upgradeEncoding(String storedHash) {
        return storedHash.startsWith("old");
    }
}
