package dev.latchkey.auth.guard.hashing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The requests that have a permit, and the memory that their hashes state.
 *
 * <p>Not safe for use by several threads: the {@link PermitQueue}'s lock guards it.
 */
final class PermitsInUse {

    private final HashingSettings settings;
    private final int mostVirtual;
    private final List<PermitRequest> holders = new ArrayList<>();
    private long memoryBytes;

    PermitsInUse(HashingSettings settings, Carriers carriers) {
        this.settings = settings;
        this.mostVirtual = Math.min(settings.atOnce(), carriers.mostHashes());
    }

    void add(PermitRequest request) {
        holders.add(request);
        memoryBytes += memoryOf(request.demand);
    }

    void remove(PermitRequest request) {
        holders.remove(request);
        memoryBytes -= memoryOf(request.demand);
    }

    /** Whether any permit is free. */
    boolean isOneFree() {
        return holders.size() < settings.atOnce();
    }

    /** Whether a free permit, if there is one, may be used for this hash now. */
    boolean fits(HashDemand demand) {
        return memoryOf(demand) <= settings.memoryBytes() - memoryBytes
                && (!demand.isVirtual() || count(HashDemand::isVirtual) < mostVirtual);
    }

    /** How many permits there are for such a hash. */
    int permitsFor(HashDemand demand) {
        return demand.isVirtual() ? mostVirtual : settings.atOnce();
    }

    /** The memory that a hash takes of the budget: one that states more than there is takes all of it. */
    private long memoryOf(HashDemand demand) {
        return Math.min(demand.memoryBytes(), settings.memoryBytes());
    }

    @SuppressWarnings("ReferenceEquality") // a thread's own notion of equality would let others in by its permit
    boolean isComputing(Thread thread) {
        return holders.stream().anyMatch(each -> each.thread == thread);
    }

    int count() {
        return holders.size();
    }

    long count(Predicate<HashDemand> kind) {
        return holders.stream().filter(each -> kind.test(each.demand)).count();
    }

    /** The memory in use, as the hashes that run state it. */
    long memoryBytes() {
        return memoryBytes;
    }
}
