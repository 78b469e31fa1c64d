package dev.latchkey.auth.store;

import org.jspecify.annotations.Nullable;

/** A view of a store that uses up the time budget of a request. */
interface Timed {

    /** Null for no budget. */
    @Nullable
    StoreTime time();
}
