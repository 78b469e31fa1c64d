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
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The answers of other sources about accounts with tokens in use. A token becomes invalid if its account is removed, or
 * the password changes.
 *
 * <p>If the last answer is older than {@value #SECONDS} seconds, a request asks the source again in the background. If
 * the last answer is older than a minute, the answer is dropped, and the request waits for the source. A failed question
 * in the background keeps the last answer for another minute. Without an answer, the token is accepted without the source.
 * Otherwise an outage of a directory would end the logins of all services that use the directory's accounts.
 *
 * <p>Safe for use by any number of threads.
 */
final class Standings {

    /** The interval in which the server reads its own users again. */
    private static final int SECONDS = 15;

    private static final Duration KEPT = Duration.ofMinutes(1);
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

    private final AuthChain chain;
    private final RoleRules rules;
    private final LoadingCache<Key, Standing> cache;

    Standings(AuthChain chain, RoleRules rules, Executor executor, Ticker ticker) {
        this.chain = chain;
        this.rules = rules;
        this.cache = Caffeine.newBuilder()
                .maximumSize(MOST)
                .refreshAfterWrite(Duration.ofSeconds(SECONDS))
                .expireAfterWrite(KEPT)
                .executor(executor)
                .ticker(ticker)
                .build(new Questions());
    }

    /** The account's current standing. May wait for the source, as long as the source's own limit allows. */
    Standing of(String source, String subject) {
        return cache.get(new Key(source, subject));
    }

    /** The standing right after a login; empty if the source cannot look accounts up. */
    Optional<Known> after(Authenticated login) {
        Optional<Known> known = Optional.ofNullable(login.stamp())
                .map(stamp ->
                        new Known(markOf(login.subject().id(), stamp), rules.factsOf(login.plugin(), login.subject())));
        known.ifPresent(
                standing -> cache.put(new Key(login.plugin(), login.subject().id()), standing));
        return known;
    }

    private static String markOf(String subject, Secret stamp) {
        return stamp.withBytes(
                bytes -> PasswordMark.of(subject, Base64.getEncoder().encodeToString(bytes)));
    }

    private Standing ask(Key key) {
        Verdict account =
                chain.decidedLogins().account(key.source(), key.subject()).orElse(null);
        Secret stamp = account instanceof Authenticated state ? state.stamp() : null;
        return account instanceof Authenticated state && stamp != null
                ? new Known(markOf(key.subject(), stamp), rules.factsOf(key.source(), state.subject()))
                : Missing.GONE;
    }

    private final class Questions implements CacheLoader<Key, Standing> {

        @Override
        public Standing load(Key key) {
            try {
                return ask(key);
            } catch (AuthUnavailableException | AuthPluginException e) {
                return Missing.UNKNOWN;
            }
        }

        @Override
        public Standing reload(Key key, Standing last) {
            try {
                return ask(key);
            } catch (AuthUnavailableException | AuthPluginException e) {
                return last;
            }
        }
    }
}
