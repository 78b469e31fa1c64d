package dev.latchkey.auth.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.security.crypto.password.PasswordEncoder;

/** An encoder with a record of the hashing threads. A hash takes until the test opens the gate. */
public final class HashingProbe implements PasswordEncoder {

    /** Longer than a hit saves, or the cache would take it for a fast one. */
    private static final long COST_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    public final Set<String> threads = ConcurrentHashMap.newKeySet();
    final Semaphore begun = new Semaphore(0);
    public volatile CountDownLatch gate = new CountDownLatch(0);

    /** A salt, or all accounts with one password would be one entry of the cache. */
    public static String stored(String salt, CharSequence password) {
        return "probe$" + salt + "$" + password;
    }

    @Override
    public String encode(CharSequence rawPassword) {
        hash();
        return stored("", rawPassword);
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        hash();
        return encodedPassword.equals(stored(encodedPassword.split("\\$", -1)[1], rawPassword));
    }

    /** As if nothing had been hashed yet. */
    void forget() {
        threads.clear();
        begun.drainPermits();
    }

    private void hash() {
        threads.add(Thread.currentThread().getName());
        begun.release();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long end = System.nanoTime() + COST_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
