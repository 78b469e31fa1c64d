package dev.latchkey.auth.password.hash;

/** Memory that another hash holds, while a test looks at what is left to the rest. */
public final class HeldMemory {

    private HeldMemory() {}

    public static void of(MemoryPermits permits, long bytes, Runnable meanwhile) {
        permits.whileHolding(bytes, () -> {
            meanwhile.run();
            return null;
        });
    }
}
