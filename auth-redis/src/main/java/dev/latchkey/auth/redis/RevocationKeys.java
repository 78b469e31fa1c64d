package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.IdDigest;
import java.util.List;

/**
 * The keys of revocations. What is in braces chooses the slot of a Cluster: all that one script touches lies in one.
 *
 * @param prefix what each begins with
 * @param node names this node among those that leave traces
 */
record RevocationKeys(String prefix, String node) {

    /** A sorted set: the ids of what is revoked, by the second from which on it may be forgotten. */
    String ends() {
        return revocations("ends");
    }

    /** A sorted set: what is revoked, by its position. */
    String order() {
        return revocations("order");
    }

    /** A hash: the bounds of subjects by their ids, and the last position. */
    String bounds() {
        return revocations("bounds");
    }

    /** How many traces this node has left. */
    private String trace() {
        return revocations("node:" + node);
    }

    /** The channel that tells of what was recorded. */
    static String channel(String prefix) {
        return revocations(prefix, "recorded");
    }

    List<String> ofRecord() {
        return List.of(ends(), order(), bounds(), trace());
    }

    List<String> ofTrace() {
        return List.of(trace(), ends(), order(), bounds());
    }

    List<String> ofSweep() {
        return List.of(ends(), order(), bounds());
    }

    /** A sorted set: the ids of a subject's tokens that are revoked, by their ends. */
    List<String> ofTokens(IdDigest subject) {
        return List.of(prefix + "revoked-of:{" + RevocationText.hex(subject) + "}");
    }

    private String revocations(String name) {
        return revocations(prefix, name);
    }

    private static String revocations(String prefix, String name) {
        return prefix + "{revocations}:" + name;
    }
}
