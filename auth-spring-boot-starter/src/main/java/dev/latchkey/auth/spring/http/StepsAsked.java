package dev.latchkey.auth.spring.http;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.InsufficientAuthenticationException;

/**
 * One login that an authentication manager decides, and whether the plugins have been asked for another step of it already. Bound to the
 * thread that decides, or in the subscriber's context: a manager that is asked within is a part of that login.
 *
 * <p>Safe for use by any number of threads.
 */
public final class StepsAsked {

    private static final ThreadLocal<@Nullable StepsAsked> CURRENT = new ThreadLocal<>();

    private volatile @Nullable String subjectId;

    /** A type of its own: providers of a service throw its supertype for what they find wrong. */
    private static final class NotEnoughException extends InsufficientAuthenticationException {

        @Serial
        private static final long serialVersionUID = 1L;

        NotEnoughException() {
            super("Another step is wanted, which this way in does not have");
        }
    }

    /** For a password that is right and not enough, where the caller cannot be asked for more. */
    public static InsufficientAuthenticationException notEnough() {
        return new NotEnoughException();
    }

    /** Whether this is what {@link #notEnough} has made. */
    public static boolean isNotEnough(Throwable failure) {
        return failure instanceof NotEnoughException;
    }

    /** The login that this thread decides; null where it decides none. */
    public static @Nullable StepsAsked current() {
        return CURRENT.get();
    }

    /** Binds it to this thread; null for none. */
    public static void bind(@Nullable StepsAsked login) {
        // Not removed, which would cost the thread's next login an entry: one without a value holds nothing.
        CURRENT.set(login);
    }

    /** The chain has decided this login: its plugins want no step of this subject, or it has passed it. */
    public void ofChain(String subjectId) {
        this.subjectId = subjectId;
    }

    /** Whether the chain has decided this login, as this subject. */
    public boolean includes(String subjectId) {
        return subjectId.equals(this.subjectId);
    }
}
