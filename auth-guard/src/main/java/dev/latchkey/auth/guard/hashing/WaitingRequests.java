package dev.latchkey.auth.guard.hashing;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a permit, and which of them is the next.
 *
 * <p>First come, first served, with two exceptions. A request whose memory is not free now is overtaken by those that fit. A patient one is overtaken
 * by those that are not. The head of the queue is overtaken {@value #MOST_OVERTAKEN} times at most, then it is next.
 *
 * <p>Not safe for use by several threads: the {@link PermitQueue}'s lock guards it.
 */
final class WaitingRequests {

    /** So a batch job gets at least a ninth of the permits, and a hash that needs all memory waits for at most eight others. */
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

    /** Takes out the request that gets the permit. */
    void removeGranted(PermitRequest request) {
        boolean overtakes = !isHead(request);
        remove(request);
        headOvertaken += overtakes ? 1 : 0;
    }

    @SuppressWarnings("ReferenceEquality") // a request is equal to nothing but itself
    private boolean isHead(PermitRequest request) {
        return request == inOrder.iterator().next();
    }

    /** The request whose turn it is; null if none of them could begin now. */
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

    /** How many wait that are not patient. */
    int prompt() {
        return inOrder.size() - patient;
    }
}
