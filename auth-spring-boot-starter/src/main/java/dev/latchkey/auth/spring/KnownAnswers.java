package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What earlier passes of a request had computed, for the pass that comes again. Belongs to its request. */
final class KnownAnswers {

    private record Answer(HashingKey key, @Nullable String account, CompletableFuture<?> value) {}

    private final List<Answer> answers = new ArrayList<>(0);

    /** Whether nobody has asked yet if the newest is a refusal. */
    private boolean untold;

    boolean isEmpty() {
        return answers.isEmpty();
    }

    /** @param account whose login it is for, if it is for one */
    void keep(HashingKey key, @Nullable String account, CompletableFuture<?> value) {
        answers.add(new Answer(key, account, value));
        untold = true;
    }

    /** The answer to this question. */
    @SuppressWarnings("unchecked") // an answer is kept under the question that it was computed for
    <T> Optional<CompletableFuture<T>> to(HashingKey key) {
        return answers.stream()
                .filter(answer -> answer.key().isSameAs(key))
                .findFirst()
                .map(answer -> (CompletableFuture<T>) answer.value());
    }

    /**
     * The newest answer, once, if it refused a login of this account. Other exceptions are left to whoever asks for the hash:
     * what a provider makes of them depends on where it meets them.
     */
    Optional<CompletableFuture<?>> refusalOf(String account) {
        if (!untold) {
            return Optional.empty();
        }
        Answer newest = answers.get(answers.size() - 1);
        if (!account.equals(newest.account()) || !isRefusal(newest.value())) {
            return Optional.empty();
        }
        untold = false;
        return Optional.of(newest.value());
    }

    private static boolean isRefusal(CompletableFuture<?> answer) {
        return answer.isCompletedExceptionally()
                && answer.handle((value, failure) -> failure instanceof CompletionException e ? e.getCause() : failure)
                                .join()
                        instanceof AuthUnavailableException;
    }
}
