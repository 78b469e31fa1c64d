package dev.latchkey.auth.guard.hashing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The requests with a permit, and the stated memory of their hashes.
 *
 * <p>Not safe for use by several threads: the {@link PermitQueue}'s lock guards this object.
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

    /** Whether this hash may use a free permit now. */
    boolean fits(HashDemand demand) {
        return memoryOf(demand) <= settings.memoryBytes() - memoryBytes
                && (!demand.isVirtual() || count(HashDemand::isVirtual) < mostVirtual);
    }

    /** The maximum number of permits for hashes of this kind. */
    int permitsFor(HashDemand demand) {
        return demand.isVirtual() ? mostVirtual : settings.atOnce();
    }

    /** The memory of a hash, at most the limit. A hash that states more memory than the limit takes all memory. */
    private long memoryOf(HashDemand demand) {
        return Math.min(demand.memoryBytes(), settings.memoryBytes());
    }

    @SuppressWarnings("ReferenceEquality") // a custom equals of a thread would let other threads use its permit
    boolean isComputing(Thread thread) {
        return holders.stream().anyMatch(each -> each.thread == thread);
    }

    int count() {
        return holders.size();
    }

    long count(Predicate<HashDemand> kind) {
        return holders.stream().filter(each -> kind.test(each.demand)).count();
    }

    /** The stated memory of running hashes. */
    long memoryBytes() {
        return memoryBytes;
    }
}
