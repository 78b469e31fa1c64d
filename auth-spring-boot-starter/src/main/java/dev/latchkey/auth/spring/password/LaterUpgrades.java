package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.userdetails.UserDetailsService;

/**
 * Has outdated hashes replaced after the answer, in place of the hash that a provider of Spring Security computes within the login. The provider asks
 * its encoder whether a hash is outdated only after all its checks have passed. At a "no" the provider makes none, and one is made here.
 *
 * <p>This is for providers of the accounts that the upgrade knows alone; another provider goes on as it did. Safe for use by any number of threads.
 */
final class LaterUpgrades {

    private final ObjectProvider<PasswordUpgrade> upgrades;
    private final ObjectProvider<UserDetailsService> accounts;

    LaterUpgrades(ObjectProvider<PasswordUpgrade> upgrades, ObjectProvider<UserDetailsService> accounts) {
        this.upgrades = upgrades;
        this.accounts = accounts;
    }

    /** Whether this outdated hash, which the login of this thread has just matched, is replaced later or was dropped. */
    // The very bean: another store that says it is equal may still hold other accounts.
    @SuppressWarnings("ReferenceEquality")
    boolean takeOver(@Nullable UserDetailsService ofProvider, LoginEncoder encoder, String storedHash) {
        PasswordUpgrade upgrade = upgrades.getIfAvailable();
        return upgrade != null
                && ofProvider != null
                && ofProvider == accounts.getIfUnique()
                && LoginComparison.handOver(
                        storedHash,
                        (account, password) -> upgrade.afterSuccess(encoder, account, password, storedHash));
    }
}
