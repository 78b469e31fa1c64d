package dev.latchkey.auth.guard;

/**
 * What a hash asks of the {@link HashingPool}.
 *
 * @param memoryBytes that it allocates while it runs: 19 MiB for argon2id as OWASP advises it, 0 for bcrypt and PBKDF2
 * @param familiarity decides whether the share kept for known sources is open to it
 */
public record HashDemand(long memoryBytes, Familiarity familiarity) {

    /** Whether the caller's source has logged in before. */
    public enum Familiarity {
        /** It has; the pool keeps a share of its queue for such callers. */
        KNOWN,
        /** It has not, or nobody remembers. */
        UNKNOWN
    }

    /** @throws IllegalArgumentException if the memory is negative */
    public HashDemand {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("A hash's memory must not be negative, got " + memoryBytes);
        }
    }

    /** A hash that needs a processor and no memory to speak of. */
    public static HashDemand ofProcessor() {
        return new HashDemand(0, Familiarity.UNKNOWN);
    }

    /** A hash that allocates so many bytes while it runs. */
    public static HashDemand ofMemory(long bytes) {
        return new HashDemand(bytes, Familiarity.UNKNOWN);
    }

    public HashDemand from(Familiarity familiarity) {
        return new HashDemand(memoryBytes, familiarity);
    }
}
