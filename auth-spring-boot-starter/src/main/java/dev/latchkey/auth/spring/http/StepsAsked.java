package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.CurrentLogin;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.InsufficientAuthenticationException;

/**
 * A login that an authentication manager decides. Records whether the plugin chain has already asked for the further
 * steps of this login. This object is a part of the {@link CurrentLogin}: a nested manager decides a part of the same
 * login.
 *
 * <p>Safe for use by any number of threads.
 */
public final class StepsAsked {

    private static final CurrentLogin.Part<StepsAsked> PART = new CurrentLogin.Part<>();

    private volatile @Nullable String subjectId;

    /** A separate type, because the service's own providers may throw the supertype for their own rejections. */
    private static final class NotEnoughException extends InsufficientAuthenticationException {

        @Serial
        private static final long serialVersionUID = 1L;

        NotEnoughException() {
            super("Another step is wanted, which this way in does not have");
        }
    }

    /**
     * The rejection of a right password that is not enough, if the client cannot be asked for another step.
     *
     * @return an exception to throw
     */
    public static InsufficientAuthenticationException notEnough() {
        return new NotEnoughException();
    }

    /**
     * Whether the exception is this rejection, and not an exception of a service's own provider.
     *
     * @param failure of a login
     * @return true for the exception of {@link #notEnough}
     */
    public static boolean isNotEnough(Throwable failure) {
        return failure instanceof NotEnoughException;
    }

    /**
     * The login that a manager decides.
     *
     * @param login of the request
     * @return null if no manager decides a login
     */
    public static @Nullable StepsAsked in(CurrentLogin login) {
        return login.get(PART);
    }

    /**
     * Adds this object to a login that a manager decides from now on.
     *
     * @param login of the request
     * @return the login with this part
     */
    public CurrentLogin within(CurrentLogin login) {
        return login.with(PART, this);
    }

    /**
     * Notes the decision of the plugin chain about this login: the plugins need no further step of the subject, or the login has
     * passed the step.
     *
     * @param subjectId the accepted subject
     */
    public void ofChain(String subjectId) {
        this.subjectId = subjectId;
    }

    /**
     * Whether the plugin chain has decided this login, so that no step is missing.
     *
     * @param subjectId the subject accepted by the manager
     * @return false if the chain accepted no subject, or another subject
     */
    public boolean includes(String subjectId) {
        return subjectId.equals(this.subjectId);
    }
}
