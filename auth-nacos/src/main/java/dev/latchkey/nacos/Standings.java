package dev.latchkey.nacos;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.nacos.settings.RoleRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * The answers of other sources about accounts with tokens in use. A token becomes invalid if its account is removed, or
 * the password changes. A token that is newer than the last answer and disagrees with the answer has the source asked again
 * before a rejection: another node may have seen a new password.
 *
 * <p>If the last answer is older than {@value #SECONDS} seconds, a request asks the source again in the background. If
 * the last answer is older than a minute, the answer is dropped, and the request waits for the source. A failed question
 * keeps the last answer for another minute. Without an answer because of an outage, the token is accepted.
 * Otherwise an outage of a directory would end the logins of all services that use the directory's accounts. Without an
 * answer because of an overload, the token stays undecided: callers can cause an overload.
 *
 * <p>Safe for use by any number of threads.
 */
final class Standings {

    /** The interval in which the server reads its own users again. */
    private static final int SECONDS = 15;

    private static final Duration KEPT = Duration.ofMinutes(1);

    /** The pause after a failed question. Otherwise waiting requests would ask one after the other. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int MOST = 50_000;

    /** The state of an account in its source. */
    sealed interface Standing {}

    /**
     * The account may log in.
     *
     * @param mark binds a token to the account's credentials
     * @param facts for {@link RoleRules}
     */
    record Known(String mark, List<String> facts) implements Standing {}

    /** The reason for a missing {@link Known}. */
    enum Missing implements Standing {
        /** The account is deleted, must not log in, or has no stamp. */
        GONE,
        /** The source has not answered yet. */
        UNKNOWN
    }

    private record Key(String source, String subject) {}

    /**
     * An answer of the source.
     *
     * @param asked the time of the question
     * @param failed the end of the last failed question since the answer
     */
    private record Answer(Standing standing, Instant asked, Instant failed) {

        Answer(Standing standing, Instant asked) {
            this(standing, asked, Instant.MIN);
        }

        Answer failedAt(Instant time) {
            return new Answer(standing, asked, time);
        }
    }

    private final AuthChain chain;
    private final RoleRules rules;
    private final InstantSource clock;
    private final Questions questions = new Questions();
    private final LoadingCache<Key, Answer> cache;

    Standings(AuthChain chain, RoleRules rules, Executor executor, Ticker ticker, InstantSource clock) {
        this.clock = clock;
        this.chain = chain;
        this.rules = rules;
        this.cache = Caffeine.newBuilder()
                .maximumSize(MOST)
                .refreshAfterWrite(Duration.ofSeconds(SECONDS))
                .expireAfterWrite(KEPT)
                .executor(executor)
                .ticker(ticker)
                .build(questions);
    }

    /**
     * The account's current standing. May wait for the source, as long as the source's own limit allows.
     *
     * @throws AuthUnavailableException in an overload of the source, without a last answer
     */
    Standing of(String source, String subject) {
        return cache.get(new Key(source, subject)).standing();
    }

    /**
     * Whether the account's standing passes the test. If the last answer fails the test and is from before {@code since},
     * the source is asked again. Concurrent callers share the question. After a failed question, the last answer counts for a
     * second.
     *
     * @param since the issue time of the token, plus the allowed difference between clocks. Tokens from before the answer
     *     therefore cause no questions
     * @throws AuthUnavailableException in an overload of the source, without a last answer
     */
    boolean passes(String source, String subject, Instant since, Predicate<Standing> test) {
        Key key = new Key(source, subject);
        Answer last = cache.get(key);
        return test.test(last.standing())
                || (last.asked().isBefore(since)
                        && test.test(answerAfter(key, last.asked()).standing()));
    }

    private Answer answerAfter(Key key, Instant asked) {
        return Objects.requireNonNull(cache.asMap().compute(key, (same, present) -> {
            if (present == null) {
                return questions.load(same);
            }
            boolean isNew = present.asked().isAfter(asked);
            boolean isPause = clock.instant().isBefore(present.failed().plus(PAUSE));
            return isNew || isPause ? present : questions.reload(same, present);
        }));
    }

    /**
     * Binds a token to the account's credentials at this login. The login is no answer about the account: the account may
     * have changed since, for example if the source's cache of passwords decided the login.
     *
     * @return empty if the source cannot look accounts up
     */
    static Optional<String> markOf(Authenticated login) {
        return Optional.ofNullable(login.stamp())
                .map(stamp -> markOf(login.subject().id(), stamp));
    }

    private static String markOf(String subject, Secret stamp) {
        return stamp.withBytes(
                bytes -> PasswordMark.of(subject, Base64.getEncoder().encodeToString(bytes)));
    }

    private Answer ask(Key key) {
        Instant asked = clock.instant();
        Verdict account =
                chain.decidedLogins().account(key.source(), key.subject()).orElse(null);
        Secret stamp = account instanceof Authenticated state ? state.stamp() : null;
        Standing standing = account instanceof Authenticated state && stamp != null
                ? new Known(markOf(key.subject(), stamp), rules.factsOf(key.source(), state.subject()))
                : Missing.GONE;
        return new Answer(standing, asked);
    }

    private final class Questions implements CacheLoader<Key, Answer> {

        /** @throws AuthUnavailableException in an overload of the source */
        @Override
        public Answer load(Key key) {
            Instant asked = clock.instant();
            try {
                return ask(key);
            } catch (AuthUnavailableException e) {
                if (e.kind() != AuthUnavailableException.Kind.OUTAGE) {
                    throw e;
                }
                return new Answer(Missing.UNKNOWN, asked);
            } catch (AuthPluginException e) {
                return new Answer(Missing.UNKNOWN, asked);
            }
        }

        @Override
        public Answer reload(Key key, Answer last) {
            try {
                return ask(key);
            } catch (AuthUnavailableException | AuthPluginException e) {
                return last.failedAt(clock.instant());
            }
        }
    }
}
