package dev.latchkey.auth.spring.http;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.InsufficientAuthenticationException;

/**
 * One login that an authentication manager decides, and whether the plugins have been asked for another step of it already. It is bound to the thread
 * that decides, or stands in the subscriber's context: a manager that is asked meanwhile decides a part of that login.
 *
 * <p>Safe for use by any number of threads.
 */
public final class StepsAsked {

    private static final ThreadLocal<@Nullable StepsAsked> CURRENT = new ThreadLocal<>();

    private volatile @Nullable String subjectId;

    /** Of a type of its own: providers of a service throw its supertype for what they find wrong. */
    private static final class NotEnoughException extends InsufficientAuthenticationException {

        @Serial
        private static final long serialVersionUID = 1L;

        NotEnoughException() {
            super("Another step is wanted, which this way in does not have");
        }
    }

    /**
     * The refusal of a password that is right and not enough, where the caller cannot be asked for more.
     *
     * @return to be thrown
     */
    public static InsufficientAuthenticationException notEnough() {
        return new NotEnoughException();
    }

    /**
     * Tells that refusal from those of a service's own providers.
     *
     * @param failure of a login
     * @return true for what {@link #notEnough} has made
     */
    public static boolean isNotEnough(Throwable failure) {
        return failure instanceof NotEnoughException;
    }

    /**
     * The login that the calling thread decides.
     *
     * @return null where it decides none
     */
    public static @Nullable StepsAsked current() {
        return CURRENT.get();
    }

    /**
     * Binds a login to the calling thread.
     *
     * @param login null where the thread decides none any more
     */
    public static void bind(@Nullable StepsAsked login) {
        // Not removed, which would cost the thread's next login an entry: one without a value holds nothing.
        CURRENT.set(login);
    }

    /**
     * Notes that the chain of plugins has decided this login: its plugins want no other step of the subject, or the login has passed it.
     *
     * @param subjectId whom the chain let in
     */
    public void ofChain(String subjectId) {
        this.subjectId = subjectId;
    }

    /**
     * Whether the chain of plugins has decided this login, so that no step of it is missing.
     *
     * @param subjectId whom the manager let in
     * @return false where the chain let in nobody, or somebody else
     */
    public boolean includes(String subjectId) {
        return subjectId.equals(this.subjectId);
    }
}
