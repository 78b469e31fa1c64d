package dev.latchkey.auth.guard.hashing;

/**
 * The needs of a hash at the {@link PermitQueue}.
 *
 * @param memoryBytes the stated memory of the hash
 * @param isPatient whether the hash waits without a deadline
 * @param isVirtual whether a virtual thread asks
 * @param leavesRoom whether others come first when hashes are scarce
 */
record HashDemand(long memoryBytes, boolean isPatient, boolean isVirtual, boolean leavesRoom) {

    /**
     * The demand of a request on a platform thread.
     *
     * @throws IllegalArgumentException if the memory is negative
     */
    static HashDemand of(long memoryBytes) {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("A hash's memory must not be negative, got " + memoryBytes);
        }
        return new HashDemand(memoryBytes, false, false, false);
    }

    HashDemand patient() {
        return new HashDemand(memoryBytes, true, isVirtual, leavesRoom);
    }

    HashDemand leavingRoom(boolean leaves) {
        return new HashDemand(memoryBytes, isPatient, isVirtual, leaves);
    }

    HashDemand by(Thread thread, Carriers carriers) {
        return new HashDemand(memoryBytes, isPatient, carriers.isVirtual().test(thread), leavesRoom);
    }
}
