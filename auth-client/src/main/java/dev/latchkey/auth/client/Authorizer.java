package dev.latchkey.auth.client;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Supplies the credentials for requests. An HTTP client asks {@link #isFor} for the address and sends the request with
 * {@link #current}. After an answer that {@linkplain #isRefusal rejects} the credentials, the client sends the request
 * once more with {@link #renewalOf}, if present.
 *
 * <p>Each future ends within {@link ClientSettings#patience()}. Each future belongs to its caller: cancelling a future
 * does not end a login for other callers. Safe for use by any number of threads.
 */
public sealed interface Authorizer permits BasicAuthorizer, TokenAuthorizer {

    /**
     * Whether credentials may go to this address. Ask again for the target of each redirect.
     *
     * @param address of the next request
     * @return {@code false} for every origin outside the settings
     */
    boolean isFor(URI address);

    /**
     * Whether an answer with this status rejects the credentials: 401, and from a Nacos server also 403. Nacos answers
     * 403 to an invalid token.
     *
     * @param status of the answer
     * @return {@code false} if the credentials were accepted, whatever else was wrong
     */
    boolean isRefusal(int status);

    /**
     * The credentials to send now. Fails with a {@link LoginFailedException} if there are none.
     *
     * @return the same for all callers during a login. Another thread completes the future, so a dependent action must
     *     be fast
     */
    CompletableFuture<Authorization> current();

    /**
     * New credentials after a rejection. Empty if a retry would send the same credentials, or after too many recent
     * logins for this reason. The caller then handles the rejected answer.
     *
     * @param refused the rejected credentials
     * @return the credentials for the second and last request
     */
    Optional<CompletableFuture<Authorization>> renewalOf(Authorization refused);

    /**
     * Reports rejected credentials for a request with a body that cannot be sent again. The next request uses other
     * credentials.
     *
     * @param refused the rejected credentials
     */
    void leftRefused(Authorization refused);

    /**
     * Waits for the result of {@link #current} or {@link #renewalOf}.
     *
     * @param shown the future from {@link #current} or {@link #renewalOf}
     * @return the credentials to send
     * @throws LoginFailedException if there are no credentials
     * @throws InterruptedException if the waiting thread is interrupted; the login continues for other callers
     */
    static Authorization await(CompletableFuture<Authorization> shown) throws InterruptedException {
        try {
            return shown.get();
        } catch (ExecutionException e) {
            throw LoginExchange.failureOf(e.getCause() == null ? e : e.getCause())
                    .again();
        }
    }
}
