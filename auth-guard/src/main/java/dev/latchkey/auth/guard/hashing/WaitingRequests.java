package dev.latchkey.auth.guard.hashing;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a permit, and their order.
 *
 * <p>First come, first served, with two exceptions. A request without enough free memory is overtaken by requests that
 * fit. A patient request is overtaken by prompt requests. The head of the queue is overtaken at most
 * {@value #MOST_OVERTAKEN} times, and then gets the next permit.
 *
 * <p>Not safe for use by several threads: the {@link PermitQueue}'s lock guards this object.
 */
final class WaitingRequests {

    /**
     * With this limit, a batch job gets at least a ninth of the permits. A hash that needs all memory waits for at most
     * eight other hashes.
     */
    private static final int MOST_OVERTAKEN = 8;

    private final Set<PermitRequest> inOrder = new LinkedHashSet<>();
    private int patient;
    private int headOvertaken;

    void add(PermitRequest request) {
        inOrder.add(request);
        patient += request.demand.isPatient() ? 1 : 0;
    }

    void remove(PermitRequest request) {
        if (isHead(request)) {
            headOvertaken = 0;
        }
        inOrder.remove(request);
        patient -= request.demand.isPatient() ? 1 : 0;
    }

    /** Removes the request that gets the permit. */
    void removeGranted(PermitRequest request) {
        boolean overtakes = !isHead(request);
        remove(request);
        headOvertaken += overtakes ? 1 : 0;
    }

    @SuppressWarnings("ReferenceEquality") // a request is equal only to itself
    private boolean isHead(PermitRequest request) {
        return request == inOrder.iterator().next();
    }

    /** The request that gets the next permit; null if no request can start now. */
    @Nullable
    PermitRequest next(Predicate<HashDemand> fitsNow) {
        PermitRequest firstPatient = null;
        for (PermitRequest each : inOrder) {
            boolean fits = fitsNow.test(each.demand);
            if (headOvertaken == MOST_OVERTAKEN) {
                return fits ? each : null;
            }
            if (fits && !each.demand.isPatient()) {
                return each;
            }
            firstPatient = fits && firstPatient == null ? each : firstPatient;
        }
        return firstPatient;
    }

    int size() {
        return inOrder.size();
    }

    /** The number of waiting prompt requests. */
    int prompt() {
        return inOrder.size() - patient;
    }
}
