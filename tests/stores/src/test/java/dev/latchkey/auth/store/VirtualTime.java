package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Classes of the store package with a clock of nanoseconds, for nodes in simulated time. */
public final class VirtualTime {

    private VirtualTime() {}

    /** The time of stores of a request that begins now. */
    public static StoreTime ofARequest(LongSupplier nanos) {
        return new StoreTime(StoreTime.OF_A_REQUEST, nanos);
    }

    /** A store time without an end: the fault of a node with a deadline for each call and no common deadline. */
    public static StoreTime withoutEnd() {
        return new StoreTime(Duration.ofDays(1), () -> 0);
    }

    public static LocalRevocations copyOf(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        return LocalRevocations.of(store, settings, clock, nanos);
    }
}
