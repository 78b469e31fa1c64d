package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The use of a code by one login. In an outage a write may reach the store although its answer is lost. The login then repeats
 * the use. Each write gives the row a new random revision. The revision therefore proves that an earlier write of this use has
 * reached the store. For a single thread at a time.
 */
final class CodeUse {

    /** After this number of writes, each further write replaces the oldest remembered write. */
    private static final int MOST_WRITES = 16;

    private final Optional<TypedCode> typed;
    private final Deque<String> revisions = new ArrayDeque<>();

    private CodeUse(Optional<TypedCode> typed) {
        this.typed = typed;
    }

    static CodeUse of(Secret code) {
        return new CodeUse(code.withText(TypedCode::of));
    }

    /** Empty if the text does not have the form of a code. */
    Optional<TypedCode> typed() {
        return typed;
    }

    boolean isOf(Secret code) {
        return typed.equals(code.withText(TypedCode::of));
    }

    /** Notes that a write with this revision begins. */
    void writing(String revision) {
        if (revisions.size() == MOST_WRITES) {
            revisions.removeFirst();
        }
        revisions.add(revision);
    }

    /** Whether the last write of this row was a write of this use. */
    boolean hasWritten(StoredCodes row) {
        return revisions.contains(row.revision());
    }
}
