package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.WaitBound;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The cache of verified credentials. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.cache.enabled"},
        matchIfMissing = true)
@Import(SettingsConfiguration.class)
public final class LatchkeyCacheAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    CredentialCache latchkeyCredentialCache(LatchkeyProperties properties, ObjectProvider<WaitingThreads> waiting) {
        WaitingThreads threads = waiting.getIfAvailable();
        return CredentialCache.with(
                properties.cache().settings(), threads == null ? WaitBound.NONE : new RequestWaitBound(threads));
    }

    /** Counts only request threads. */
    private record RequestWaitBound(WaitingThreads threads) implements WaitBound {

        @Override
        public boolean enter() {
            return !CurrentRequest.hasSource() || threads.enter();
        }

        @Override
        public void leave() {
            if (CurrentRequest.hasSource()) {
                threads.leave();
            }
        }
    }
}
