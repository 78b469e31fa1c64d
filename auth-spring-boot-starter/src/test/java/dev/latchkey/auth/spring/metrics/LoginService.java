package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.LoginDevices;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** The server-independent parts of a service with logins: the accounts, and the seen logins. */
@Configuration(proxyBeanMethods = false)
public class LoginService {

    /** Cost 4, so that tests are quick. */
    @Bean
    BCryptPasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder(4);
    }

    @Bean
    Observed observed(BCryptPasswordEncoder encoder, ObjectProvider<AuthMeters> meters) {
        return new Observed(encoder, meters);
    }

    /** As a device calls itself. */
    @Bean
    LoginDevices devices() {
        return request -> request.header("X-Device").stream().findFirst();
    }

    @Bean
    Services.Hello hello() {
        return new Services.Hello();
    }

    public static final class Observed {

        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final Map<String, UserDetails> accounts = new ConcurrentHashMap<>();

        Observed(BCryptPasswordEncoder encoder, ObjectProvider<AuthMeters> meters) {
            meters.ifUnique(all -> all.bindTo(registry));
            String hash = encoder.encode(Services.PASSWORD);
            add(User.withUsername("alice").password(hash).roles("USER").build());
            add(User.withUsername("disabled").password(hash).disabled(true).build());
            add(User.withUsername("the \"boss\\").password(hash).roles("ADMIN").build());
            add(User.withUsername("jürgen").password(encoder.encode("Grüße 鍵")).build());
        }

        private void add(UserDetails account) {
            accounts.put(account.getUsername(), account);
        }

        public void disable(String name) {
            add(User.withUserDetails(accounts.get(name)).disabled(true).build());
        }

        /** Null where there is none. */
        public UserDetails account(String name) {
            if (name.equals("failing")) {
                throw new IllegalStateException("The store is down");
            }
            return accounts.get(name);
        }

        @EventListener
        void on(AbstractAuthenticationEvent event) {
            events.add(event.getClass().getSimpleName() + " "
                    + event.getAuthentication().getName());
        }

        /** Since it was cleared last. */
        public List<String> events() {
            return events;
        }

        /** Kind, outcome, reason and count of each counter. */
        public List<String> logins() {
            return registry.find(AuthMeters.LOGINS).counters().stream()
                    .map(Observed::described)
                    .sorted()
                    .toList();
        }

        private static String described(Counter counter) {
            return counter.getId().getTag("kind") + " " + counter.getId().getTag("outcome") + " "
                    + counter.getId().getTag("reason") + " " + (int) counter.count();
        }
    }
}
