package dev.latchkey.auth.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A service with cheaper hashes than new hashes, and stored replacements. */
@Configuration(proxyBeanMethods = false)
class OutdatedHashes {

    static final String OLD = new BCryptPasswordEncoder(4).encode(Services.PASSWORD);

    @Bean
    Store store() {
        return new Store();
    }

    @Bean
    PasswordEncoder encoder(Store store) {
        return new Watched(store);
    }

    @Bean
    Services.Hello hello() {
        return new Services.Hello();
    }

    /** Accounts, and what was stored for them. */
    static final class Store implements UserDetailsService, UserDetailsPasswordService {

        final Map<String, String> hashes = new ConcurrentHashMap<>();
        final List<Thread> hashing = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch mayHash = new CountDownLatch(1);
        private final Map<String, CountDownLatch> stored = new ConcurrentHashMap<>();
        volatile boolean failing;

        Store() {
            for (String name : List.of("alice", "bob", "disabled", "locked")) {
                hashes.put(name, OLD);
                stored.put(name, new CountDownLatch(1));
            }
        }

        @Override
        public UserDetails loadUserByUsername(String name) {
            String hash = hashes.get(name);
            if (hash == null) {
                throw new UsernameNotFoundException("No such name");
            }
            return User.withUsername(name)
                    .password(hash)
                    .roles("USER")
                    .disabled(name.equals("disabled"))
                    .accountLocked(name.equals("locked"))
                    .build();
        }

        @Override
        public UserDetails updatePassword(UserDetails user, String hash) {
            if (failing && user.getUsername().equals("alice")) {
                throw new IllegalStateException("read-only replica");
            }
            hashes.put(user.getUsername(), hash);
            stored.get(user.getUsername()).countDown();
            return loadUserByUsername(user.getUsername());
        }

        void awaitReplacementOf(String name) throws InterruptedException {
            if (!stored.get(name).await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("The hash of " + name + " was not replaced");
            }
        }

        boolean isReplaced(String name) {
            return hashes.get(name).startsWith("$2a$05$");
        }
    }

    /** Records the hashing threads; on the upgrade's own thread, a hash waits for the test. */
    private static final class Watched implements PasswordEncoder {

        private final Store store;
        private final BCryptPasswordEncoder bcrypt = new BCryptPasswordEncoder(5);

        Watched(Store store) {
            this.store = store;
        }

        @Override
        public String encode(CharSequence raw) {
            Thread thread = Thread.currentThread();
            if (!raw.toString().equals("userNotFoundPassword")) {
                store.hashing.add(thread);
            }
            if (thread.getName().equals("latchkey-password-upgrade")) {
                awaitPermission();
            }
            return bcrypt.encode(raw);
        }

        private void awaitPermission() {
            try {
                if (!store.mayHash.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("Nobody lets it hash");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return bcrypt.matches(raw, stored);
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return bcrypt.upgradeEncoding(stored);
        }
    }
}
