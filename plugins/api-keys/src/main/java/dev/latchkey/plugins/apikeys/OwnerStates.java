package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides what a key means now: its owner with the scopes that the owner may still grant, or the reason why the owner
 * is rejected. A key older than the account was issued for a deleted account of the same name, and an account with another id is
 * another account.
 *
 * @param accounts {@link dev.latchkey.auth.engine.DecidedLogins#account}
 * @param scopes that an account may grant
 */
record OwnerStates(BiFunction<String, String, Optional<Verdict>> accounts, KeyScopes scopes) {

    boolean isKnown(KeyOwner owner) {
        return owner.isKnownToAPlugin()
                && accounts.apply(owner.plugin(), owner.account()).isPresent();
    }

    /** Whether the account for which the key was issued still exists. Also true for an owner without a plugin. */
    boolean hasOwner(StoredKey key) {
        return !key.owner().isKnownToAPlugin() || ownerOf(key).isPresent();
    }

    private Optional<Verdict> ownerOf(StoredKey key) {
        return accounts.apply(key.owner().plugin(), key.owner().account()).filter(account -> !isAnother(account, key));
    }

    /** The keys that were issued for a deleted account with the name of a present account. */
    List<StoredKey> ofFormerAccounts(List<StoredKey> keys) {
        Map<KeyOwner, Optional<Verdict>> present = new HashMap<>();
        return keys.stream()
                .filter(key -> key.owner().isKnownToAPlugin())
                .filter(key -> present.computeIfAbsent(
                                key.owner(), owner -> accounts.apply(owner.plugin(), owner.account()))
                        .filter(account -> isAnother(account, key))
                        .isPresent())
                .toList();
    }

    /** A store that ignores case finds a renamed account by its old name too. */
    private static boolean isAnother(Verdict account, StoredKey key) {
        return account instanceof Authenticated present
                && (present.isYoungerThan(key.created())
                        || !present.subject().id().equals(key.owner().account()));
    }

    Verdict of(StoredKey key) {
        if (!key.owner().isKnownToAPlugin()) {
            return proof(key, scope -> true);
        }
        Verdict state = ownerOf(key).orElseGet(() -> Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        return state instanceof Authenticated owner
                ? proof(key, scope -> scopes.mayBeGiven(scope, owner.subject().authorities()))
                : state;
    }

    private static Authenticated proof(StoredKey key, Predicate<String> mayBeGiven) {
        return Authenticated.as(Subject.of(key.owner().account())
                .withClaim(Subject.KEY_CLAIM, key.id())
                .withAuthorities(key.scopes().stream()
                        .filter(mayBeGiven)
                        .map(scope -> KeyScopes.AUTHORITY_PREFIX + scope)
                        .collect(Collectors.toSet())));
    }
}
