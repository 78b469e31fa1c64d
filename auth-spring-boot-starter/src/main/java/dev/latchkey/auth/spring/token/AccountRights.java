package dev.latchkey.auth.spring.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.plugin.UserDetailsPlugin;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The present state of accounts, for old tokens without authorities. A looked-up account is cached for a short time. An outage is
 * not cached. Safe for use by any number of threads.
 */
final class AccountRights implements Function<String, Optional<Verdict>> {

    private static final int MOST = 10_000;

    /** A change of an account takes effect after this time. */
    static final Duration KEPT_FOR = Duration.ofSeconds(10);

    private final Supplier<AuthChain> chain;
    private final Cache<String, Optional<Verdict>> cache;

    /**
     * @param chain contains the plugin of tokens, so the chain is made later
     * @param ticker never goes back; a clock set back would keep a disabled account for longer
     */
    AccountRights(Supplier<AuthChain> chain, Ticker ticker) {
        this.chain = chain;
        this.cache = Caffeine.newBuilder()
                .expireAfterWrite(KEPT_FOR)
                .ticker(ticker)
                .maximumSize(MOST)
                .build();
    }

    @Override
    public Optional<Verdict> apply(String subjectId) {
        Optional<Verdict> known = cache.getIfPresent(subjectId);
        if (known != null) {
            return known;
        }
        // Not in the cache's own loader: its lock would make look-ups wait for each other during an outage.
        Optional<Verdict> found = lookUp(subjectId);
        cache.put(subjectId, found);
        return found;
    }

    private Optional<Verdict> lookUp(String subjectId) {
        AuthChain plugins = chain.get();
        if (plugins.outsideLogins().isForeignName(subjectId)) {
            // Old tokens belong to local accounts. By now, this name belongs to an account of another source.
            return Optional.empty();
        }
        Optional<String> source = plugins.pluginNames().contains(UserDetailsPlugin.NAME)
                ? Optional.of(UserDetailsPlugin.NAME)
                : plugins.decidedLogins().sourceOf(subjectId);
        return source.flatMap(plugin -> plugins.decidedLogins().account(plugin, subjectId));
    }
}
