package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The use of a code by one login. In an outage a write may reach the store although its answer is lost, and the login repeats the
 * use. The revision of a row is random and new with each write, so the revision proves such a write. For a single thread at a time.
 */
final class CodeUse {

    /** Further attempts of one login forget the first write. */
    private static final int MOST_WRITES = 16;

    private final Optional<TypedCode> typed;
    private final Deque<String> revisions = new ArrayDeque<>();

    private CodeUse(Optional<TypedCode> typed) {
        this.typed = typed;
    }

    static CodeUse of(Secret code) {
        return new CodeUse(code.withText(TypedCode::of));
    }

    /** Empty for text in no form of a code. */
    Optional<TypedCode> typed() {
        return typed;
    }

    boolean isOf(Secret code) {
        return typed.equals(code.withText(TypedCode::of));
    }

    /** A write with this revision begins. */
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
