package dev.latchkey.auth.password.hash;

/** Memory of another hash, while a test looks at the remaining memory. */
public final class HeldMemory {

    private HeldMemory() {}

    public static void of(MemoryPermits permits, long bytes, Runnable meanwhile) {
        permits.whileHolding(bytes, () -> {
            meanwhile.run();
            return null;
        });
    }
}
