package dev.latchkey.auth;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one plugin says of credentials: a {@link Verdict}, or {@link Abstained} where they are for another plugin. */
public sealed interface Decision permits Verdict, Abstained {

    /** This plugin does not know such credentials, or no such account. */
    static Decision abstained() {
        return Abstained.INSTANCE;
    }

    /** The value that the function for this case gives; every case is covered. */
    default <T extends @Nullable Object> T fold(
            Function<? super Authenticated, ? extends T> ifAuthenticated,
            Function<? super Rejected, ? extends T> ifRejected,
            Function<? super Abstained, ? extends T> ifAbstained) {
        if (this instanceof Verdict verdict) {
            return verdict.fold(ifAuthenticated, ifRejected);
        }
        return ifAbstained.apply((Abstained) this);
    }
}
