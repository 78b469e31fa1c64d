package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.userdetails.UserDetailsService;

/**
 * Replaces outdated hashes after the answer, instead of within the login. After all checks, a provider of Spring Security asks
 * its encoder about an outdated hash. The encoder answers "no", so the provider computes no new hash. This class queues the hash
 * for {@link PasswordUpgrade}.
 *
 * <p>Only for providers with the accounts of the upgrade. Other providers are unchanged. Safe for use by any number of threads.
 */
record LaterUpgrades(ObjectProvider<PasswordUpgrade> upgrades, ObjectProvider<UserDetailsService> accounts) {

    static LaterUpgrades in(BeanFactory beans) {
        return new LaterUpgrades(
                beans.getBeanProvider(PasswordUpgrade.class), beans.getBeanProvider(UserDetailsService.class));
    }

    /** Queues the upgrade if the provider reads the accounts of the upgrade; otherwise {@code false}. */
    // The same bean: an equal store may still contain other accounts.
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
