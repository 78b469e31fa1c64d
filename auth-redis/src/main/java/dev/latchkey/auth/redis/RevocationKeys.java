package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.IdDigest;
import java.util.List;

/**
 * The keys of revocations. The text in braces chooses the slot of a Cluster: all keys of one script are in one slot.
 *
 * @param prefix the start of each key
 * @param node identifies this node among the nodes with traces
 */
record RevocationKeys(String prefix, String node) {

    /** A sorted set: the ids of revocations, by the second of their expiry. */
    String ends() {
        return revocations("ends");
    }

    /** A sorted set: the revocations, by position. */
    String order() {
        return revocations("order");
    }

    /** A hash: the bounds of subjects by their ids, and the last position. */
    String bounds() {
        return revocations("bounds");
    }

    /** A number: the traces of this node. */
    private String trace() {
        return revocations("node:" + node);
    }

    /** The channel for messages about new revocations. */
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

    /** A sorted set: the ids of a subject's revoked tokens, by their ends. */
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
