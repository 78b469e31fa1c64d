package dev.latchkey.auth.client;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Has what requests show of their caller. This is all that an HTTP client needs to know: it asks {@link #isFor} for the address, sends the request
 * with {@link #current}, and after an answer that {@linkplain #isRefusal is a refusal} of that once more with {@link #renewalOf}, where there is one.
 *
 * <p>No future here stays open: each ends within {@link ClientSettings#patience()}. They are their caller's own: cancelling one ends no
 * login that others wait for. Safe for use by any number of threads.
 */
public sealed interface Authorizer permits BasicAuthorizer, TokenAuthorizer {

    /**
     * Whether credentials may go to this address. To be asked again for the target of each redirect.
     *
     * @param address of a request that is about to be sent
     * @return {@code false} for every origin that was not named
     */
    boolean isFor(URI address);

    /**
     * Whether an answer of this status refuses what was shown: 401, and from a Nacos server 403 too, which it answers to a token that is not good.
     *
     * @param status of the answer
     * @return {@code false} where the credentials were good, whatever else was wrong
     */
    boolean isRefusal(int status);

    /**
     * What to show now; fails with a {@link LoginFailedException} where there is nothing.
     *
     * @return the same for all who ask while a login is under way; completed by another thread, so nothing slow belongs behind it
     */
    CompletableFuture<Authorization> current();

    /**
     * What to show instead of this, which was refused. Empty where nothing else would be shown, or too many logins were made lately
     * for this reason; the answer is the caller's then.
     *
     * @param refused what the request has shown
     * @return what to show in a second request, which is the last one
     */
    Optional<CompletableFuture<Authorization>> renewalOf(Authorization refused);

    /**
     * To be called where this was refused, and the request has a body that cannot be sent again: the next request shows something else.
     *
     * @param refused what the request has shown
     */
    void leftRefused(Authorization refused);

    /**
     * Waits for what {@link #current} or {@link #renewalOf} gave.
     *
     * @param shown what {@link #current} or {@link #renewalOf} gave
     * @return what to show
     * @throws LoginFailedException if there is nothing to show
     * @throws InterruptedException if the thread that waits is interrupted; the login goes on for the others
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
