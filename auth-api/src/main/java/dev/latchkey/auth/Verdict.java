package dev.latchkey.auth;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A final word on credentials: {@link Authenticated} or {@link Rejected}. What {@link AuthChain} answers. */
public sealed interface Verdict extends Decision permits Authenticated, Rejected {

    /** The value that the function for this case gives; every case is covered. */
    default <T extends @Nullable Object> T fold(
            Function<? super Authenticated, ? extends T> ifAuthenticated,
            Function<? super Rejected, ? extends T> ifRejected) {
        if (this instanceof Authenticated authenticated) {
            return ifAuthenticated.apply(authenticated);
        }
        return ifRejected.apply((Rejected) this);
    }
}
