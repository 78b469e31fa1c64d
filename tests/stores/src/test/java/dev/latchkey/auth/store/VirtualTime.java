package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The store package's classes that take a clock of nanoseconds, for nodes whose time a simulator makes. */
public final class VirtualTime {

    private VirtualTime() {}

    /** The time of stores of a request that begins now. */
    public static StoreTime ofARequest(LongSupplier nanos) {
        return new StoreTime(StoreTime.OF_A_REQUEST, nanos);
    }

    /** A time of stores that no call uses up: the fault of a node whose calls have a deadline each, and none together. */
    public static StoreTime withoutEnd() {
        return new StoreTime(Duration.ofDays(1), () -> 0);
    }

    public static LocalRevocations copyOf(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        return LocalRevocations.of(store, settings, clock, nanos);
    }
}
