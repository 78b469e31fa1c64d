package dev.latchkey.auth.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Stores plain passwords, and records the calls and their threads. */
public final class RecordingEncoder implements PasswordEncoder {

    public final List<String> threads = Collections.synchronizedList(new ArrayList<>());
    public final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    public final List<Long> memory = Collections.synchronizedList(new ArrayList<>());
    private final LongSupplier memoryInUse;
    public volatile boolean outdated;
    public volatile String made = "";

    public RecordingEncoder(LongSupplier memoryInUse) {
        this.memoryInUse = memoryInUse;
    }

    @Override
    public String encode(CharSequence raw) {
        record("encode");
        return made + raw;
    }

    @Override
    public boolean matches(CharSequence raw, String stored) {
        record("matches of " + stored);
        return stored.substring(stored.lastIndexOf('$') + 1).contentEquals(raw);
    }

    @Override
    public boolean upgradeEncoding(String stored) {
        return outdated;
    }

    private void record(String call) {
        threads.add(Thread.currentThread().getName());
        calls.add(call);
        memory.add(memoryInUse.getAsLong());
    }
}
